import type { QuickReportContent, QuickReportRecord } from '#schemas/quick-report.ts'
import { addChange, newChange, type Saver } from '#data/changes.ts'

/**
 * 退館報告: of one report, or of several with the same content (one call carries them).
 * @param kind `edit` where the exit is registered already
 */
export async function saveReport(
  saver: Saver,
  records: readonly QuickReportRecord[],
  kind: 'exit' | 'edit',
  content: Omit<QuickReportContent, 'inTime'>,
): Promise<void> {
  const group = records.length > 1 ? { group: saver.newId() } : {}
  for (const record of records) {
    const change = newChange(saver, kind, { ...content, inTime: null })
    await addChange(saver.db, saver.db.quickReports, record, { ...change, ...group })
  }
}
