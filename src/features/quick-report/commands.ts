import type { QuickReportContent, QuickReportRecord } from '#schemas/quick-report.ts'
import { addChanges, newChange, type Saver } from '#data/changes.ts'

/**
 * 退館報告: of one report, or of several with the same content (one call carries them, and one write saves them).
 * @param kind `edit` where the exit is registered already
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
