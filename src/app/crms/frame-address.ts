/** Makes and reads the address of a frame that sends for another CRM than the one on the screen. */
const PARAMETER = 'send'

export const frameAddress = (scope: string): string =>
  `/?${new URLSearchParams({ [PARAMETER]: scope }).toString()}`

/** @returns the scope of the CRM that this frame sends for; null for an ordinary page */
export function frameScope({ parent, self, location }: Window & typeof globalThis): string | null {
  if (parent === self) return null
  const scope = new URLSearchParams(location.search).get(PARAMETER)
  return scope !== null && /^[\w.-]{0,64}$/.test(scope) ? scope : null
}
