import { act, cleanup, waitFor } from '@testing-library/react'
import { useEffect } from 'react'
import { describe, expect, test } from 'vitest'
import { prefetchKey } from '#schemas/collections/prefetch.ts'
import type { QuickReportRecord } from '#schemas/resources/quick-report.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { ask } from '#data/fetch-requests/interests.ts'
import { useReportWords } from '#features/report-pdf/report-words.ts'
import { NO_SIGNATURE, type Signature } from '#features/report-pdf/signature.ts'
import { useReportFacts } from '#features/report-pdf/use-report-facts.ts'
import type { WorkReport } from '#features/report-pdf/work-report.ts'
import { quickReportChange } from '../../support/device-records.ts'
import type { PhotoProof } from '#lib/image/photo-chain.ts'
import { openTestDatabase, renderFeature } from '../../support/render-feature.tsx'
import { speak } from '../../support/speak.ts'
import { undo } from '../../support/undo.ts'
import { ENTERED, LEFT, reportOn, requestOn, storeVisits } from '../../support/visit-records.ts'
import { reportIn } from '../emergency-report/open-emergency.tsx'
import { DAY, detail, whole } from '../request/detail/open-view.tsx'

interface Given {
  request?: RequestRecord
  reports?: readonly QuickReportRecord[]
  emergency?: ReturnType<typeof reportIn>
  isRead?: boolean
  signature?: Signature
}

/** What would be drawn. */
async function reportOf(given: Given = {}): Promise<WorkReport> {
  const {
    request = requestOn('1', DAY, whole),
    reports = [],
    emergency,
    isRead = true,
    signature = NO_SIGNATURE,
  } = given
  const db = await openTestDatabase()
  await storeVisits(db, [request], reports)
  if (emergency) await db.emergencyReports.insert(emergency)
  if (isRead) await ask(db, Date.now(), { key: prefetchKey('emergencyReports', '1'), kind: 'prefetch' })
  const drawn: { report?: WorkReport | undefined } = {}
  function Probe() {
    const facts = useReportFacts(request)
    const { workReport } = useReportWords()
    useEffect(() => {
      drawn.report = facts && workReport(facts, signature, 2)
    })
    return null
  }
  await renderFeature(<Probe />, { path: '/request', db })
  await waitFor(() => expect(drawn.report).toBeDefined())
  await act(async () => undefined)
  if (!drawn.report) throw new Error('nothing was made')
  return drawn.report
}

const section = ({ sections }: WorkReport, heading: string) =>
  sections.find((each) => each.heading === heading)
const values = (report: WorkReport, heading: string) =>
  Object.fromEntries(section(report, heading)?.rows ?? [])

describe('[issue 54] what is on 作業報告書', () => {
  test('request, machines, times, category and reasons, safety, emergencies', async () => {
    const exit = { inTime: ENTERED, outTime: LEFT, type: '2', reason1: '5', reportContent: '部品待ち' }
    const report = await reportOf({ reports: [reportOn('1', exit)], emergency: reportIn('e1') })
    expect(report.sections.map(({ heading, state = '' }) => `${heading} ${state}`.trim())).toEqual([
      '依頼 CRM確認済',
      '機器 CRM確認済',
      '入退館・作業内容 CRM確認済',
      '安全対策',
      '緊急報告 CRM確認済',
    ])
    expect(values(report, '依頼')).toMatchObject({ 依頼番号: 'R26-1', 契約先: 'ベイサイド東雲 管理組合' })
    expect(values(report, '入退館・作業内容')).toEqual({
      入館時刻: '2026/11/20 08:56',
      退館時刻: '2026/11/20 11:42',
      作業区分: '作業未完了',
      残作業の理由: '時間超過(作業遅れ)',
      '中止・延期の理由': 'なし',
      その他報告内容: '部品待ち',
    })
    expect(values(report, '安全対策')['酸欠']).toContain('登録済')
    expect(values(report, '緊急報告')['緊急内容詳細']).toBe('2号機も過負荷で停止しました。')
  })

  test('[ST1] what the CRM has not confirmed is called 未送信', async () => {
    const fields = {
      inTime: ENTERED,
      outTime: LEFT,
      type: '1',
      reason1: null,
      reason2: null,
      reportContent: null,
    }
    const unsent = {
      ...reportOn('1', { inTime: ENTERED }),
      changes: [quickReportChange('exit', '11:42', { fields })],
      unsent: 'yes' as const,
    }
    const report = await reportOf({ reports: [unsent] })
    expect(section(report, '入退館・作業内容')?.state).toBe('未送信（待機）')
    expect(values(report, '入退館・作業内容')['作業区分']).toBe('作業完了')
  })

  test('is in Japanese whatever the interface is in, also what is worded while it is drawn', async () => {
    const exit = { inTime: ENTERED, outTime: LEFT, type: '2', reason1: '5', reportContent: '部品待ち' }
    const unsent = {
      ...reportOn('1', exit),
      changes: [quickReportChange('exit', '11:42', { fields: { ...exit, type: '1', reason2: null } })],
      unsent: 'yes' as const,
    }
    const given = { reports: [unsent], emergency: reportIn('e1') }
    const proof = { photos: [], days: [{ day: DAY, head: 'h' }] } as unknown as PhotoProof
    const drawn = async () => {
      const report = await reportOf(given)
      return [JSON.stringify(report), report.photos.proven(proof)]
    }
    const japanese = await drawn()
    cleanup()
    await undo()
    await speak('vi')
    expect(await drawn()).toEqual(japanese)
  })

  test('[PL4] what was not read is not called none', async () => {
    const request = requestOn('1', DAY, { ...whole, detail: null, detailConfirmedAt: '' })
    const report = await reportOf({ request, isRead: false })
    expect(section(report, '機器')?.note).toBe('まだ読み込んでいません')
    expect(section(report, '緊急報告')?.note).toBe('まだ読み込んでいません')
    expect(section(report, '入退館・作業内容')?.note).toBe('入館は登録されていません')
  })

  test('[PL4] what was read and is empty is', async () => {
    const request = requestOn('1', DAY, { ...whole, detail: { ...detail, devices: [] } })
    const report = await reportOf({ request })
    expect([section(report, '機器')?.note, section(report, '緊急報告')?.note]).toEqual(['なし', 'なし'])
  })

  test.each([
    ['a dot', [1, 2], undefined],
    ['a stroke', [1, 2, 30, 40], ['山田 花子', '2026/11/20 11:40']],
  ])('a signature of %s: with name and time, or none', async (_, stroke, rows) => {
    const named = { name: '山田 花子', at: '2026-11-20T11:40:00+09:00', strokes: [stroke] }
    const drawn = section(await reportOf({ signature: named }), '立会者の署名')
    expect(drawn?.rows?.map(([, value]) => value)).toEqual(rows)
  })
})
