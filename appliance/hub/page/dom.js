// Elements are made here and nowhere else. Text goes in as text nodes, so nothing that the box tells is read as markup.

const SVG = "http://www.w3.org/2000/svg";

/** An HTML element. properties: attributes, and listeners as `onclick`; true is an attribute without a value, false and
 * null none. children: elements and text; null and false are left out. */
export function el(name, properties = {}, ...children) {
  return filled(document.createElement(name), properties, children);
}

/** The same of SVG. */
export function svg(name, properties = {}, ...children) {
  return filled(document.createElementNS(SVG, name), properties, children);
}

/** Replace all that `place` holds. */
export function put(place, ...children) {
  place.replaceChildren(...children.flat(2).filter(isThere));
}

function filled(element, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (isThere(value)) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(2).filter(isThere));
  return element;
}

function isThere(value) {
  return value !== null && value !== undefined && value !== false;
}
