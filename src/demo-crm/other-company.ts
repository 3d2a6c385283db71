/** The switch 他社の編集 of the demo: another company writes a note and changes a record of today. */
import { QuickReportType, Reason1 } from '#schemas/codes.ts'
import { addNote } from './resources/note-location-area.ts'
import { others } from './seed/people.ts'
import { visitsOn, type SeedVisit } from './seed/visits.ts'
import type { World } from '#demo-crm/world/world.ts'

const NOTE = '本日、搬入口Aは工事のため使えません。搬入口Bへ回ってください。'
const ADDED = '他社追記: 夕方に再確認します。'
const PARKING = '北側の臨時駐車場（2台）を使用。管理室で許可証を受け取る。'

/** @returns a description in Japanese */
export function editAsOtherCompany(world: World): string {
  const who = others[0]!
  const visits = visitsOn(world.today)
  const first = visits[0]!
  addNote(world, first.id, NOTE, who.id)
  const edited = editReport(world, visits, who.id) ?? editParking(world, visits, who.id)
  const note = `${who.company}が「${first.area.name}」に現場メモを追加`
  return edited ? `${note}し、${edited}。` : `${note}しました。`
}

function editReport(world: World, visits: SeedVisit[], loginUserId: string): string | null {
  const reports = world.table('quickReports')
  const today = visits.flatMap((visit) => {
    const report = reports.of(visit.id).find((row) => row.workingDate === visit.workingDate)
    return report?.type && !report.confirmed ? [{ visit, report }] : []
  })
  const last = today.at(-1)
  if (!last) return null
  const { visit, report } = last
  const old = (report.reportContent ?? '').replace(ADDED, '').trim()
  const reportContent = [old, ADDED].filter(Boolean).join('\n')
  // The type is changed too, because the list of requests has it: phones receive the change with the list.
  const now = { ...report, reason2: null, reportContent, loginUserId }
  reports.put(report.id, { ...now, type: QuickReportType.code.incomplete, reason1: Reason1.code.lateWork })
  return `${visit.requestCode}の退館報告の作業区分と内容を書き換えました`
}

function editParking(world: World, visits: SeedVisit[], loginUserId: string): string | null {
  const changes = world.table('customerLocationChangeRequests')
  for (const visit of visits) {
    const [change] = changes.of(visit.id)
    if (!change) continue
    changes.put(change.id, { ...change, parkingMethod: PARKING, loginUserId })
    return `${visit.requestCode}の入館・駐車場情報変更依頼の駐車方法を書き換えました`
  }
  return null
}
