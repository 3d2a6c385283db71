/** URL of the hidden iframe that sends the unsent work of a CRM that is not on the screen (`several.ts`). */
const PARAMETER = 'send'

export const frameAddress = (scope: string): string =>
  `/?${new URLSearchParams({ [PARAMETER]: scope }).toString()}`

/** @returns the scope of the CRM whose unsent work this iframe sends; null if the page is no such iframe */
export function frameScope({ parent, self, location }: Window & typeof globalThis): string | null {
  if (parent === self) return null
  const scope = new URLSearchParams(location.search).get(PARAMETER)
  return scope !== null && /^[\w.-]{0,64}$/.test(scope) ? scope : null
}
