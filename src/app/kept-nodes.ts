/**
 * A piece of the document as a value that can be kept, and back. What storage holds is not trusted: it is never read as
 * HTML, only elements and attributes of these lists come back, none of which can run anything or leave this site.
 */

/** A text, or an element: its name, its attributes, what is in it. */
export type KeptNode = string | [name: string, attributes: Record<string, string>, inner: KeptNode[]]

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '))

const HTML = words(
  'div span header main footer nav aside section search fieldset button a b strong em small output h1 h2 h3 h4 p ul ol li dl dt dd time i',
)
const SVG = words('svg g path rect circle ellipse line polyline polygon')
const ATTRIBUTES = words(
  'class id role type tabindex href style width height viewBox fill stroke stroke-width stroke-linecap stroke-linejoin focusable d x y x1 x2 y1 y2 rx ry cx cy r points',
)
const NAMED = /^(?:aria-[a-z]+|data-[a-z-]+)$/
/** An address of this site. */
const PATH = /^\/(?![/\\])/
/** What a spacer of the list has. */
const HEIGHT = /^height: [\d.]+px;$/

const isKnown = (name: string, value: string) =>
  (ATTRIBUTES.has(name) || NAMED.test(name)) &&
  (name !== 'href' || PATH.test(value)) &&
  (name !== 'style' || HEIGHT.test(value))

/** The list as it stands, without what only the app knows: whether there is signal, what is unsent, what was just told. */
export function listNodes(root: HTMLElement): HTMLElement {
  const copy = root.cloneNode(true) as HTMLElement
  for (const stale of copy.querySelectorAll('[data-state], output')) {
    stale.replaceChildren()
    stale.removeAttribute('data-state')
  }
  // a banner with its box: it would be read out at the next start, and what it tells may be long over
  for (const banner of copy.querySelectorAll('[role="alert"], [role="status"]')) banner.remove()
  // where none is told, the place for them may not be there yet: the same list would be another
  for (const place of copy.querySelectorAll('section:empty')) place.remove()
  return copy
}

/** What is not on the lists is left out. */
export const keptNodes = (parent: Node): KeptNode[] => [...parent.childNodes].flatMap(keptNode)

function keptNode(node: Node): KeptNode[] {
  if (node instanceof Text) return [node.data]
  if (!(node instanceof Element) || !(HTML.has(node.localName) || SVG.has(node.localName))) return []
  const attributes = [...node.attributes].filter(({ name, value }) => isKnown(name, value))
  return [
    [node.localName, Object.fromEntries(attributes.map(({ name, value }) => [name, value])), keptNodes(node)],
  ]
}

/** @throws where it is no such value, or has what is not on the lists */
export function nodesOf(kept: unknown): Node[] {
  if (!Array.isArray(kept)) throw new Error('no nodes')
  return kept.map(nodeOf)
}

function nodeOf(kept: unknown): Node {
  if (typeof kept === 'string') return document.createTextNode(kept)
  if (!Array.isArray(kept)) throw new Error('no node')
  const [name, attributes, inner] = kept as unknown[]
  const element = elementOf(String(name))
  for (const [attribute, value] of Object.entries(Object(attributes))) {
    if (typeof value !== 'string' || !isKnown(attribute, value)) throw new Error('not a known attribute')
    // the policy takes no style attribute, only what is set by a script of the page
    if (attribute === 'style') element.style.cssText = value
    else element.setAttribute(attribute, value)
  }
  element.append(...nodesOf(inner))
  return element
}

function elementOf(name: string): HTMLElement | SVGElement {
  if (HTML.has(name)) return document.createElement(name)
  if (SVG.has(name)) return document.createElementNS('http://www.w3.org/2000/svg', name) as SVGElement
  throw new Error('not a known element')
}
