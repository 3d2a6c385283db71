import { visitKey } from '#schemas/resources/visit-key.ts'
import { emptyContent } from '#schemas/declare/form-values.ts'
import { quickReport, type QuickReportRecord } from '#schemas/resources/quick-report.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { addChanges, newChange, NOTHING_SENT, type Saver } from '#data/changes/changes.ts'

/** Saves the entry (入館) of one or several requests in one write. @param inTime ISO 8601 with offset */
export async function saveEntry(saver: Saver, requests: readonly RequestRecord[], inTime: string) {
  const saves = requests.map((request) => {
    const change = newChange(saver, 'entry', { ...emptyContent(quickReport), inTime })
    return { seen: blankRecord(request), change }
  })
  await addChanges(saver.db, 'quickReports', saves)
}

const blankRecord = ({ id, workingDate, workingDateType }: RequestRecord): QuickReportRecord => ({
  key: visitKey(id, workingDate),
  requestId: id,
  workingDate,
  workingDateType,
  ...NOTHING_SENT,
})
