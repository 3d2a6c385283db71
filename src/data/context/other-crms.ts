import { type CrmState, useServices, useValue } from './app-context.tsx'

/** Returns the other CRMs that have unsent work, in the order of `config.json`. */
export const waitingElsewhere = (crms: readonly CrmState[]): CrmState[] =>
  crms.filter(({ isShown, unsent }) => !isShown && unsent > 0)

/** Sums the unsent items (cards in 送信状況) of all CRMs not on the screen. `failed`: one of them is 失敗 or 期限切れ. */
export function unsentElsewhere(crms: readonly CrmState[]): { unsent: number; failed: boolean } {
  const waiting = waitingElsewhere(crms)
  return {
    unsent: waiting.reduce((sum, { unsent }) => sum + unsent, 0),
    failed: waiting.some(({ failed }) => failed),
  }
}

/** Returns the name of the CRM on the screen; undefined on a device with one CRM. */
export function useShownCrm(): string | undefined {
  const { crms } = useServices()
  return useValue(crms).find(({ isShown }) => isShown)?.name
}
