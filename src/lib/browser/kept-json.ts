/**
 * What this app itself kept as JSON text, checked by the shape of an example: for the first screen, which does without
 * ArkType. Anything else, or nothing, gives the example.
 */
export function keptJson<T extends object>(text: string | null, example: T): T {
  const value = parse(text)
  return hasShapeOf(value, example) ? value : example
}

/** Whether every field of the example is there, of the same kind, through all levels; more fields may be. */
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
