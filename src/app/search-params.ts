/**
 * A search parameter as text, left out where it is not there; whether it makes sense the screen decides, with a
 * message. By hand, so that ArkType stays out of the first chunk.
 */
export function textParam<const Name extends string>(
  search: Record<string, unknown>,
  name: Name,
): { [N in Name]?: string } {
  const value = search[name]
  // the router reads `?type=1` as a number
  const text = typeof value === 'number' ? String(value) : value
  return (typeof text !== 'string' || text === '' ? {} : { [name]: text }) as { [N in Name]?: string }
}
