/** Address of the hidden frame that sends the unsent work of a CRM that is not on the screen. */
const PARAMETER = 'send'

export const frameAddress = (scope: string): string =>
  `/?${new URLSearchParams({ [PARAMETER]: scope }).toString()}`

/** @returns the scope of the CRM whose unsent work this frame sends (`crm-scope.ts`); null for an ordinary page */
export function frameScope({ parent, self, location }: Window & typeof globalThis): string | null {
  if (parent === self) return null
  const scope = new URLSearchParams(location.search).get(PARAMETER)
  return scope !== null && /^[\w.-]{0,64}$/.test(scope) ? scope : null
}
