"""How the database grew: each function is applied once, in order, and recorded in the table _sqlite_migrations.

A function that was released is never edited: the next change is the next function. Changes only add (columns, tables),
so that the release before can still read the file after a rollback.
"""

from __future__ import annotations

from sqlite_utils import Database, Migrations

migrations = Migrations("appliance")


@migrations()
def timers(db: Database) -> None:
    """`id` is never used twice. `due` is ISO 8601 with its UTC offset, to be read by people."""
    db.execute(
        "CREATE TABLE timers (id INTEGER PRIMARY KEY AUTOINCREMENT, label TEXT NOT NULL, seconds REAL NOT NULL,"
        " due TEXT NOT NULL) STRICT"
    )


@migrations()
def kept_values(db: Database) -> None:
    """Small things that survive a restart, such as the volume."""
    db.execute("CREATE TABLE kept_values (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT")


@migrations()
def facts(db: Database) -> None:
    """`kind`: user, rule or world. `moment`: `at` in seconds since 1970, which sorts whatever the offsets are."""
    db.execute(
        "CREATE TABLE facts (id INTEGER PRIMARY KEY AUTOINCREMENT, text TEXT NOT NULL, kind TEXT NOT NULL,"
        " at TEXT NOT NULL, moment REAL NOT NULL) STRICT"
    )


@migrations()
def exchanges(db: Database) -> None:
    """What was heard and what was said to it."""
    db.execute(
        "CREATE TABLE exchanges (id INTEGER PRIMARY KEY AUTOINCREMENT, conversation TEXT NOT NULL,"
        " heard TEXT NOT NULL, said TEXT NOT NULL, at TEXT NOT NULL, moment REAL NOT NULL) STRICT"
    )


@migrations()
def memory_words(db: Database) -> None:
    """One full-text index over facts and exchanges, so that their ranks compare.

    A fact has its own id in it, an exchange has its id below zero. Triggers keep it, also when the owner edits a row.
    """
    db.execute(
        "CREATE VIEW memories AS SELECT id, text FROM facts UNION ALL SELECT -id, heard || ' ' || said FROM exchanges"
    )
    db.execute(
        "CREATE VIRTUAL TABLE memory_words USING fts5(text, content='memories', content_rowid='id',"
        " tokenize='unicode61 remove_diacritics 2')"
    )
    for table, sign, text in (("facts", "", "{row}.text"), ("exchanges", "-", "{row}.heard || ' ' || {row}.said")):
        values = {row: f"{sign}{row}.id, {text.format(row=row)}" for row in ("old", "new")}
        add = f"INSERT INTO memory_words(rowid, text) VALUES ({values['new']});"
        drop = f"INSERT INTO memory_words(memory_words, rowid, text) VALUES ('delete', {values['old']});"
        for event, action in (("INSERT", add), ("DELETE", drop), ("UPDATE", drop + add)):
            db.execute(f"CREATE TRIGGER {table}_{event.lower()} AFTER {event} ON {table} BEGIN {action} END")


@migrations()
def newest_facts(db: Database) -> None:
    """The newest of a kind are read in every turn."""
    db.execute("CREATE INDEX newest_facts ON facts(kind, moment DESC, id DESC)")


@migrations()
def paused_timers(db: Database) -> None:
    """`paused_s`: seconds left of a timer that is paused; NULL while it runs."""
    db.execute("ALTER TABLE timers ADD COLUMN paused_s REAL")


@migrations()
def timers_of_a_wrong_clock(db: Database) -> None:
    """`due_trusted`: 0 where `due` was counted by a clock that nothing had set."""
    db.execute("ALTER TABLE timers ADD COLUMN due_trusted INTEGER NOT NULL DEFAULT 1")


@migrations()
def timers_that_nobody_answered(db: Database) -> None:
    """`rang`: 1 where it rang as long as it may and nobody came; it is told of, and rings no more."""
    db.execute("ALTER TABLE timers ADD COLUMN rang INTEGER NOT NULL DEFAULT 0")


@migrations()
def items_of_skills(db: Database) -> None:
    """What the skills keep. `skill`: the name of its folder. `body`: a JSON object, whose shape is the skill's."""
    db.execute(
        "CREATE TABLE items (id INTEGER PRIMARY KEY AUTOINCREMENT, skill TEXT NOT NULL, body TEXT NOT NULL) STRICT"
    )
    db.execute("CREATE INDEX items_of_a_skill ON items(skill, id)")


@migrations()
def facts_of_people(db: Database) -> None:
    """`person`: whom it belongs to, or who spoke; empty is the household. `confidence`: 1 where it was said outright.

    `source`: the exchange in which a fact was said. `tools`: a JSON array of the calls of a turn and their outcomes.
    """
    db.execute("ALTER TABLE facts ADD COLUMN person TEXT NOT NULL DEFAULT ''")
    db.execute("ALTER TABLE facts ADD COLUMN confidence REAL NOT NULL DEFAULT 1")
    db.execute("ALTER TABLE facts ADD COLUMN source INTEGER")
    db.execute("ALTER TABLE exchanges ADD COLUMN person TEXT NOT NULL DEFAULT ''")
    db.execute("ALTER TABLE exchanges ADD COLUMN tools TEXT NOT NULL DEFAULT '[]'")
    db.execute("CREATE INDEX facts_of_an_exchange ON facts(source)")
    db.execute("CREATE INDEX exchanges_by_time ON exchanges(moment, id)")


@migrations()
def former_facts(db: Database) -> None:
    """What a fact said before, `since` when and `until` when. It goes with its fact, whoever deletes that."""
    db.execute(
        "CREATE TABLE former_facts (id INTEGER PRIMARY KEY AUTOINCREMENT, fact_id INTEGER NOT NULL,"
        " text TEXT NOT NULL, since TEXT NOT NULL, until TEXT NOT NULL, source INTEGER) STRICT"
    )
    db.execute("CREATE INDEX former_facts_of_a_fact ON former_facts(fact_id, id)")
    db.execute("CREATE INDEX former_facts_of_an_exchange ON former_facts(source)")
    db.execute(
        "CREATE TRIGGER facts_history_delete AFTER DELETE ON facts BEGIN"
        " DELETE FROM former_facts WHERE fact_id = old.id; END"
    )


@migrations()
def diary(db: Database) -> None:
    """A summary of each day, in the full-text index too. `moment`: the day's noon where the box stands.

    `id`: its number in the index, far above those of all facts; day 1 is 0001-01-01.
    """
    db.execute(
        "CREATE TABLE diary (id INTEGER PRIMARY KEY, day TEXT NOT NULL UNIQUE, text TEXT NOT NULL, at TEXT NOT NULL,"
        " moment REAL NOT NULL) STRICT"
    )
    db.execute("DROP VIEW memories")
    db.execute(
        "CREATE VIEW memories AS SELECT id, text FROM facts UNION ALL"
        " SELECT -id, heard || ' ' || said FROM exchanges UNION ALL SELECT id, text FROM diary"
    )
    add = "INSERT INTO memory_words(rowid, text) VALUES (new.id, new.text);"
    drop = "INSERT INTO memory_words(memory_words, rowid, text) VALUES ('delete', old.id, old.text);"
    for event, action in (("INSERT", add), ("DELETE", drop), ("UPDATE", drop + add)):
        db.execute(f"CREATE TRIGGER diary_{event.lower()} AFTER {event} ON diary BEGIN {action} END")


@migrations()
def vectors(db: Database) -> None:
    """What facts, exchanges and days mean, one byte a dimension, under their ids in the full-text index.

    They are made anew from the texts where they are missing. `made_by`: the table of meanings that they are of.
    """
    db.execute("CREATE TABLE vectors (id INTEGER PRIMARY KEY, made_by TEXT NOT NULL, vector BLOB NOT NULL) STRICT")
    for table, number in (("facts", "old.id"), ("exchanges", "-old.id"), ("diary", "old.id")):
        drop = f"BEGIN DELETE FROM vectors WHERE id = {number}; END"
        db.execute(f"CREATE TRIGGER {table}_vectors_delete AFTER DELETE ON {table} {drop}")
        texts = "heard, said" if table == "exchanges" else "text"
        db.execute(f"CREATE TRIGGER {table}_vectors_update AFTER UPDATE OF {texts} ON {table} {drop}")
