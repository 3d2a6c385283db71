import type { QuickReportRecord } from '#schemas/resources/quick-report.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { SEARCH_INTEREST } from '#data/fetch-requests/interests.ts'
import { RequestSearchScreen } from '#features/request/list/request-search-screen.tsx'
import { openTestDatabase, renderFeature, testValue } from '../../../support/render-feature.tsx'
import { requestOn, storeWindow } from '../../../support/visit-records.ts'

export const DAY = '2026-11-20'

export interface SearchOptions {
  requests?: readonly RequestRecord[]
  reports?: readonly QuickReportRecord[]
  online?: boolean
  select?: boolean
  href?: string
}

/** 依頼検索 on a device that has read the window. */
export async function openSearch({
  requests = [],
  reports = [],
  online = true,
  select = false,
  href,
}: SearchOptions) {
  const db = await openTestDatabase()
  await storeWindow(db, requests, reports)
  const opened = await renderFeature(<RequestSearchScreen select={select} />, {
    path: '/request',
    href: href ?? (select ? '/request?select=true' : '/request'),
    db,
    services: { online: testValue(online) },
  })
  const search = () => db.interests.findOne(SEARCH_INTEREST).exec()
  return { ...opened, db, search }
}

/** A request of the place a1. */
export const at = (id: string, over: Partial<RequestRecord> = {}, day = DAY) =>
  requestOn(id, day, { locationAreaId: 'a1', locationName: `現場${id}`, ...over })
