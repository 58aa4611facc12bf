"""A calendar on a CalDAV server (RFC 4791). Only the synchronisation loads this: the service has no network."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from urllib.parse import quote

import caldav
import requests
from caldav.lib.error import AuthorizationError, DAVError, NotFoundError

from appliance.errors import ApplianceError, BadSettings, PartMissing
from appliance.skills.calendar.sync import Resource

TIMEOUT_S = 30
"""Of one request, connecting and each wait for bytes."""
_THERE_ALREADY = 412
"""Precondition failed: there is a resource of that name."""
_GONE = (404, 410)


class CalDav:
    """Implements sync.Server."""

    def __init__(self, url: str, user: str, password: str) -> None:
        """url: of the calendar itself."""
        self._url = url if url.endswith("/") else f"{url}/"
        self._client = caldav.DAVClient(self._url, username=user, password=password, timeout=TIMEOUT_S)

    def resources(self) -> Sequence[Resource]:
        with self._told():
            found = caldav.Calendar(self._client, self._url).events()
        return [Resource(str(each.url), str(each.data)) for each in found]

    def create(self, uid: str, content: str) -> None:
        address = f"{self._url}{quote(uid, safe='')}.ics"
        headers = {"Content-Type": "text/calendar; charset=utf-8", "If-None-Match": "*"}
        with self._told():
            self._check(self._client.put(address, content, headers), also=(_THERE_ALREADY,))

    def delete(self, address: str) -> None:
        with self._told():
            self._check(self._client.delete(address), also=_GONE)

    def close(self) -> None:
        self._client.close()

    def _check(self, response: caldav.davclient.DAVResponse, also: Sequence[int]) -> None:
        if not 200 <= response.status < 300 and response.status not in also:
            raise ApplianceError(
                f"the calendar server refused a change ({response.status} {response.reason})",
                remedy="see whether calendar.user may write to that calendar",
            )

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Make what the library raises one line with a remedy. Raises ApplianceError."""
        try:
            yield
        except AuthorizationError:
            raise BadSettings(
                "the calendar server refuses the name or the password",
                remedy="correct calendar.user and calendar.password_file",
            ) from None
        except NotFoundError:
            raise BadSettings(f"there is no calendar at {self._url}", remedy="correct calendar.url") from None
        except DAVError as error:
            why = f"{type(error).__name__}, {' '.join(str(error.reason).split())[:120]}"
            raise ApplianceError(
                f"the calendar server answered with an error ({why})", remedy="see that calendar.url is a calendar"
            ) from None
        except requests.RequestException as error:
            raise PartMissing(
                f"the calendar server cannot be reached ({type(error).__name__})",
                remedy="see that it runs and that this box has a network; the next synchronisation tries again",
            ) from None
