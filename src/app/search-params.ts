/**
 * A search parameter as text, left out where it is not there; whether it makes sense the screen decides, with a
 * message. By hand, so that ArkType stays out of the first chunk.
 */
export function textParam<const Name extends string>(search: object, name: Name): { [N in Name]?: string } {
  const value: unknown = Reflect.get(search, name)
  // the router makes a number of what looks like one
  const text = typeof value === 'number' ? String(value) : value
  return (typeof text !== 'string' || text === '' ? {} : { [name]: text }) as { [N in Name]?: string }
}
