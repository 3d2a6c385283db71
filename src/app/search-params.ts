/** One search parameter as text, or {}. ArkType would enlarge the first chunk. @param empty `is-one`: '' counts */
export function textParam<const Name extends string>(
  search: object,
  name: Name,
  empty: 'omitted' | 'is-one' = 'omitted',
): { [N in Name]?: string } {
  const value: unknown = Reflect.get(search, name)
  const text = typeof value === 'number' ? String(value) : value
  const isGiven = typeof text === 'string' && (text !== '' || empty === 'is-one')
  return (isGiven ? { [name]: text } : {}) as { [N in Name]?: string }
}
