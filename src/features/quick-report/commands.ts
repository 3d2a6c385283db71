import type { QuickReportContent, QuickReportRecord } from '#schemas/resources/quick-report.ts'
import { addChanges, newChange, type Saver } from '#data/changes/changes.ts'

/**
 * Saves the same 退館報告 content for one or several reports in one database write. Changes of several reports get a common
 * `group`, and are sent to the CRM in one call.
 * @param kind `edit` if the exit is already registered
 */
export async function saveReport(
  saver: Saver,
  records: readonly QuickReportRecord[],
  kind: 'exit' | 'edit',
  content: Omit<QuickReportContent, 'inTime'>,
): Promise<void> {
  const group = records.length > 1 ? { group: saver.newId() } : {}
  const saves = records.map((seen) => {
    const change = newChange(saver, kind, { ...content, inTime: null })
    return { seen, change: { ...change, ...group } }
  })
  await addChanges(saver.db, 'quickReports', saves)
}
