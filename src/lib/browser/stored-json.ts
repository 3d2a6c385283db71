/**
 * Parses JSON that this app has stored, and checks its shape by an example. Used by code that does not load ArkType.
 * @returns the parsed value; the example if the text is missing or does not match
 */
export function readStoredJson<T extends object>(text: string | null, example: T): T {
  const value = parse(text)
  return hasShapeOf(value, example) ? value : example
}

/**
 * True if the value has all fields of the example with the same types, also in nested objects. More fields are
 * allowed.
 */
export function hasShapeOf<T extends object>(value: unknown, example: T): value is T {
  if (typeof value !== 'object' || value === null || Array.isArray(value) !== Array.isArray(example))
    return false
  if (Array.isArray(example)) return true
  return Object.entries(example).every(([name, sample]) => {
    const field = (value as Record<string, unknown>)[name]
    return typeof sample === 'object' && sample !== null
      ? hasShapeOf(field, sample)
      : typeof field === typeof sample
  })
}

function parse(text: string | null): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return undefined
  }
}
