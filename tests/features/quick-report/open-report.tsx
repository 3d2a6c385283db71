import type { SendFacts } from '#schemas/change.ts'
import { viewOf } from '#data/changes/record-views.ts'
import type { QuickReportRecord } from '#schemas/resources/quick-report.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import type { Services } from '#data/context/app-context.tsx'
import { QuickReportAddScreen } from '#features/quick-report/quick-report-add-screen.tsx'
import { QuickReportEditScreen } from '#features/quick-report/quick-report-edit-screen.tsx'
import { createClock } from '#lib/time/stamp.ts'
import { openTestDatabase, renderFeature, testValue } from '../../support/render-feature.tsx'
import { ENTERED, LEFT, reportOn, requestOn, storeVisits } from '../../support/visit-records.ts'
import { storeAllFacts } from '../../support/stored-views.ts'

export const DAY = '2026-11-20'

interface Options {
  requests?: readonly RequestRecord[]
  reports?: readonly QuickReportRecord[]
  progress?: readonly SendFacts[]
  online?: boolean
  other?: string
  id?: string
  services?: Partial<Services>
  /** The day it is. */
  today?: string
}

const clockOn = (day: string): Services['clock'] => {
  let last: string | null = null
  const memory = { get: () => last, set: (stamp: string) => void (last = stamp) }
  return createClock({ now: () => Date.parse(`${day}T12:00:00+09:00`), device: 'test', memory })
}

export async function prepare({
  requests = [requestOn('1', DAY)],
  reports = [],
  progress = [],
  online = true,
  services = {},
  today = DAY,
}: Options) {
  const db = await openTestDatabase()
  await storeVisits(db, requests, reports)
  await storeAllFacts(db, [...progress])
  return { db, services: { online: testValue(online), clock: clockOn(today), ...services } }
}

export async function openAdd(options: Options = {}) {
  const { id = 'q-1', other, reports = [reportOn('1', { inTime: ENTERED })] } = options
  const { db, services } = await prepare({ ...options, reports })
  const opened = await renderFeature(<QuickReportAddScreen quickReportId={id} other={other} />, {
    path: '/quickReport/add/$quickReportId',
    href: `/quickReport/add/${id}`,
    db,
    services,
  })
  return withForm({ ...opened, db })
}

export const exited = { inTime: ENTERED, outTime: LEFT, type: '2', reason1: '4', reportContent: '部品待ち' }

export async function openEdit(server: Parameters<typeof reportOn>[1] = exited, options: Options = {}) {
  const { db, services } = await prepare({ ...options, reports: [reportOn('1', server)] })
  const opened = await renderFeature(<QuickReportEditScreen id="q-1" />, {
    path: '/quickReport/$id/edit',
    href: '/quickReport/q-1/edit',
    db,
    services,
  })
  return withForm({ ...opened, db })
}

type Opened = Awaited<ReturnType<typeof renderFeature>> & { db: Awaited<ReturnType<typeof openTestDatabase>> }

function withForm(opened: Opened) {
  const { screen, user, db } = opened
  return {
    ...opened,
    choose: async (name: string) => user.click(await screen.findByRole('radio', { name })),
    save: async () => user.click(await screen.findByRole('button', { name: '保存' })),
    saved: async (requestId = '1') =>
      (await viewOf(db, 'quickReports', `${requestId}_${DAY}`))?.changes.at(-1),
    flash: () => opened.services.flash.get()[0],
  }
}
