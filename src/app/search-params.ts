/**
 * A search parameter as text, or no parameter. The screen validates it, with a message. Written by hand, so that ArkType
 * stays out of the first chunk.
 * @param empty whether an empty text counts as a parameter
 */
export function textParam<const Name extends string>(
  search: object,
  name: Name,
  empty: 'omitted' | 'is-one' = 'omitted',
): { [N in Name]?: string } {
  const value: unknown = Reflect.get(search, name)
  // the router parses digits as a number
  const text = typeof value === 'number' ? String(value) : value
  const isThere = typeof text === 'string' && (text !== '' || empty === 'is-one')
  return (isThere ? { [name]: text } : {}) as { [N in Name]?: string }
}
