/**
 * A search parameter as text, left out where it is not there; whether it makes sense the screen decides, with a
 * message. By hand, so that ArkType stays out of the first chunk.
 * @param empty whether an empty one is one all the same
 */
export function textParam<const Name extends string>(
  search: object,
  name: Name,
  empty: 'left-out' | 'is-one' = 'left-out',
): { [N in Name]?: string } {
  const value: unknown = Reflect.get(search, name)
  // the router makes a number of what looks like one
  const text = typeof value === 'number' ? String(value) : value
  const isThere = typeof text === 'string' && (text !== '' || empty === 'is-one')
  return (isThere ? { [name]: text } : {}) as { [N in Name]?: string }
}
