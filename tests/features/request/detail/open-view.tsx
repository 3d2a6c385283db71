import type { CodeLabels } from '#schemas/device/runtime-config.ts'
import type { QuickReportRecord } from '#schemas/resources/quick-report.ts'
import type { RequestDetail, RequestRecord } from '#schemas/resources/request.ts'
import { Frame } from '#app/shell/frame.tsx'
import type { ClockReading } from '#lib/time/crm-clock.ts'
import { RequestViewScreen } from '#features/request/detail/request-view.tsx'
import { PaneContext, type Pane } from '#ui/layout/screen.tsx'
import { openTestDatabase, renderFeature, testClock, testValue } from '../../../support/render-feature.tsx'
import { requestOn, storeVisits } from '../../../support/visit-records.ts'

export const DAY = '2026-11-20'

export const detail: RequestDetail = {
  goods: [
    {
      id: 'g1',
      name: '排水ポンプユニット',
      details: [{ id: 'd1', itemName: '逆止弁', quantity: '2', model: 'CV-65F' }],
    },
  ],
  devices: [{ deviceId: 'dev 1', deviceModel: '65DVS', site1: null, site2: null }],
  safety: [{ id: 's1', needFlag: '1', safetyType: '4', workingDate: DAY }],
  underPitSurvey: [
    { site: '3', depth: '3', traffic: '1', hatch: '2', stepladder: null, observer: null, guide: null },
  ],
}
const contact = {
  name: '防災センター',
  kana: 'ﾎﾞｳｻｲｾﾝﾀｰ',
  section: '警備',
  class: null,
  staffName: '佐藤',
  means: null,
  email: null,
  tel1: '03-5550-0000',
}
export const whole: Partial<RequestRecord> = {
  detail,
  emergency: true,
  customerName: 'ベイサイド東雲 管理組合',
  customerAddress: '東京都江東区東雲1-9-14',
  salesName: '高橋 直人',
  situation: '満水警報が2回発報。',
  messageTts: '鍵を受け取ってから入館してください。',
  inMethod: '防災センターで受付後、鍵を受け取る',
  parkingType: '1',
  parkingMethod: '搬入口B横の2番',
  inLocationContact: contact,
  outLocationContact: null,
  locationAreaId: 'a1',
  noteLocationAreaCount: 3,
  noteLocationAreaStatus: '2',
  customerLocationChangeStatus: '1',
  inLocationContactChangeStatus: '2',
  inLocationContactChangeRequestId: 'c1',
  outLocationContactChangeStatus: '3',
  safetyStatus: '2',
  safetyDirectionName: '地下ピット;酸欠',
}

/** What an opened 依頼詳細 starts from. */
export interface Options {
  requests?: readonly RequestRecord[]
  reports?: readonly QuickReportRecord[]
  online?: boolean
  workingDate?: string
  popup?: string
  /** What the clock says, ISO 8601; noon of 2026-11-20 where left out. */
  at?: string
  /** What the CRM has told of its time. */
  crmClock?: ClockReading
  codeLabels?: CodeLabels
  /** Of the wide layout, in the app's own frame. */
  pane?: Pane
}

/** 依頼詳細 of request 1 on 2026-11-20. */
export async function openView(options: Options = {}) {
  const {
    requests,
    reports = [],
    online = true,
    workingDate,
    popup,
    at,
    crmClock,
    codeLabels,
    pane,
  } = options
  const db = await openTestDatabase()
  await storeVisits(db, requests ?? [requestOn('1', DAY, whole)], reports)
  const query = new URLSearchParams({
    ...(workingDate && { workingDate }),
    ...(popup && { popup }),
  }).toString()
  const screen = (
    <PaneContext value={pane ?? null}>
      <RequestViewScreen id="1" workingDate={workingDate} />
    </PaneContext>
  )
  const opened = await renderFeature(screen, {
    path: '/request/$id',
    href: `/request/1${query && `?${query}`}`,
    db,
    services: {
      online: testValue(online),
      ...(pane && { Frame }),
      ...(at && { clock: testClock(() => Date.parse(at)) }),
      ...(codeLabels && { codeLabels }),
      ...(crmClock && { crmClock: testValue<ClockReading | null>(crmClock) }),
    },
  })
  return { ...opened, db, asked: () => db.interests.find().exec() }
}
