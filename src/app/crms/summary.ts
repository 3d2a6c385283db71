/** The summary of each CRM's unsent work in localStorage, which all pages read (decisions/config). */
import type { CrmState } from '#data/context/app-context.tsx'
import { scoped } from '#lib/browser/crm-scope.ts'
import { readStoredJson, storeText } from '#lib/browser/stored-json.ts'

const KEY = 'genba:crm-summary'

export interface CrmSummary extends Pick<CrmState, 'unsent' | 'failed'> {
  session: Exclude<CrmState['session'], 'removed'>
}

const NO_SUMMARY: CrmSummary = { session: 'signed-out', unsent: 0, failed: false }

export const readSummary = (scope: string): CrmSummary =>
  readStoredJson(localStorage.getItem(scoped(KEY, scope)), NO_SUMMARY)

export const writeSummary = (scope: string, summary: CrmSummary): void =>
  storeText(scoped(KEY, scope), JSON.stringify(summary))

/** Calls `onChange` when another page has written a summary. */
export function watchSummaries(onChange: () => void): void {
  window.addEventListener('storage', ({ key }) => {
    if (key === null || key.startsWith(KEY)) onChange()
  })
}
