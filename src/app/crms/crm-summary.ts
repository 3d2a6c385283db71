/**
 * Stores a summary of each CRM (session, unsent work) in localStorage, so that all pages of the device can read and
 * watch it.
 */
import type { CrmState } from '#data/context/app-context.tsx'
import { scoped } from '#lib/browser/crm-scope.ts'
import { readStoredJson } from '#lib/browser/stored-json.ts'

const KEY = 'genba:crm-summary'

export interface CrmSummary extends Pick<CrmState, 'unsent' | 'failed'> {
  session: Exclude<CrmState['session'], 'removed'>
}

const NO_SUMMARY: CrmSummary = { session: 'signed-out', unsent: 0, failed: false }

export const readSummary = (scope: string): CrmSummary =>
  readStoredJson(localStorage.getItem(scoped(KEY, scope)), NO_SUMMARY)

export function writeSummary(scope: string, summary: CrmSummary): void {
  const [key, text] = [scoped(KEY, scope), JSON.stringify(summary)]
  try {
    if (localStorage.getItem(key) !== text) localStorage.setItem(key, text)
  } catch {
    // If the storage is full, the old summary is removed, because its numbers are out of date.
    localStorage.removeItem(key)
  }
}

export function watchSummaries(onChange: () => void): void {
  window.addEventListener('storage', ({ key }) => {
    if (key === null || key.startsWith(KEY)) onChange()
  })
}
