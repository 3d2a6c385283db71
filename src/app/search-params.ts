/**
 * Returns an object with one search parameter as text; empty if it is missing. The screen validates the text. ArkType
 * is not used here, because it would enlarge the first chunk.
 * @param empty `is-one` if an empty text counts as a parameter
 */
export function textParam<const Name extends string>(
  search: object,
  name: Name,
  empty: 'omitted' | 'is-one' = 'omitted',
): { [N in Name]?: string } {
  const value: unknown = Reflect.get(search, name)
  // The router parses a parameter of digits as a number.
  const text = typeof value === 'number' ? String(value) : value
  const isGiven = typeof text === 'string' && (text !== '' || empty === 'is-one')
  return (isGiven ? { [name]: text } : {}) as { [N in Name]?: string }
}
