/** An answer no deeper than anything can be: what follows recurses, and a stack ends (RULES PL2). */

/** The contract knows six levels. */
const DEPTH_MAX = 40

/** What lies deeper becomes null, in place; by a list and not by recursion. */
export function shallow(body: unknown): unknown {
  const left: { value: object; depth: number }[] = []
  if (isObject(body)) left.push({ value: body, depth: 1 })
  for (let next = left.pop(); next; next = left.pop()) {
    const { value, depth } = next
    for (const [name, inner] of Object.entries(value)) {
      if (!isObject(inner)) continue
      if (depth < DEPTH_MAX) left.push({ value: inner, depth: depth + 1 })
      else
        Object.defineProperty(value, name, {
          value: null,
          writable: true,
          enumerable: true,
          configurable: true,
        })
    }
  }
  return body
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
