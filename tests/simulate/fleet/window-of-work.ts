/** What is on a worker's device: the visits of the window, and the lists that hang on them, by the tables the app ships. */
import type { RequestRecord } from '#schemas/resources/request.ts'
import { visitKey } from '#schemas/resources/visit-key.ts'
import type { ListMark } from '#sync/pull/records/local-records.ts'
import { basisOf } from '#sync/pull/records/record-lists.ts'
import type { LocalRecord } from '#sync/merge/merge-rows.ts'
import type { PullResource, RecordList } from '#sync/resources/resource.ts'
import { pullResources } from '#sync/resources/resource-table.ts'
import { tokyoDay } from '#schemas/instant.ts'
import { requestRecord } from '../../support/device-records.ts'
import { int, type Random } from '../random.ts'

type Pull = Pick<PullResource<LocalRecord>, 'source' | 'owners' | 'lifetime' | 'basis'>

const { supplierStaff: _, ...ofVisits } = pullResources
export const pulls: Readonly<Record<string, Pull>> = ofVisits

export interface FleetList {
  name: string
  pull: Pull
  list: RecordList
  /** Calls that its read takes; 0 where the request names none. */
  calls: number
  /** What its requests say about it. */
  basis: string
  /** What the device knows of it. */
  mark: ListMark | undefined
  /** Its name and owner. */
  label: string
}

export interface Work {
  visits: RequestRecord[]
  lists: FleetList[]
  /** Of each visit the places of its lists. */
  listsAt: readonly (readonly number[])[]
}

const USER = 'staff'
/** Of ten areas so many are another request's, too. */
const SHARED_AREAS = 0.15
const TWO_DEVICES = 0.3
const MEASURED = 0.3
const CHANGE_REQUESTED = 0.1
const TWO_PAGES = 0.3

const chosen = <T>(random: Random, share: number, value: T): T | null => (random() < share ? value : null)

function visitOf(random: Random, number: number, workingDate: string): RequestRecord {
  const id = `r${number}`
  const key = visitKey(id, workingDate)
  const devices = Array.from({ length: random() < TWO_DEVICES ? 2 : 1 }, (_, i) => ({
    deviceId: `d${number}-${i}`,
    deviceModel: null,
    site1: null,
    site2: null,
  }))
  const measure = { id: `s${number}`, needFlag: '1', safetyType: '1', workingDate }
  const safety = random() < MEASURED ? [measure] : []
  const area = random() < SHARED_AREAS ? number - 1 : number
  return requestRecord(id, {
    key,
    workingDate,
    sortKey: `${workingDate} ${id}`,
    locationAreaId: `a${area}`,
    customerLocationChangeRequestId: chosen(random, CHANGE_REQUESTED, `c${number}`),
    inLocationContactChangeRequestId: chosen(random, CHANGE_REQUESTED, `k${number}`),
    detail: { goods: [], devices, safety, underPitSurvey: [] },
    rowDigest: 'first',
    readStamp: '0',
  })
}

/** Yesterday's work is done: what goes on over midnight is today's. */
const left = ({ id, workingDate }: RequestRecord): RequestRecord['quickReport'] => ({
  id: `q${id}`,
  inTime: `${workingDate}T09:00:00+09:00`,
  outTime: `${workingDate}T11:00:00+09:00`,
  type: '1',
  editStatus: 'OK',
})

/** @param perDay how many visits lie on the n-th day of the window, yesterday being the first */
export function workOf(random: Random, now: number, perDay: readonly number[]): Work {
  let number = 0
  const visits = perDay.flatMap((count, day) =>
    Array.from({ length: count }, () => {
      const visit = visitOf(random, (number += 1), tokyoDay(now, day - 1))
      return day === 0 ? { ...visit, quickReport: left(visit) } : visit
    }),
  )
  const lists = Object.entries(pulls).flatMap(([name, pull]) => {
    const byOwner = new Map<string, RequestRecord[]>()
    for (const visit of visits)
      for (const owner of pull.owners?.(visit) ?? [])
        byOwner.set(owner, [...(byOwner.get(owner) ?? []), visit])
    return [...byOwner].map(([owner, requests]) => {
      const list = { owner, requests }
      return {
        name,
        pull,
        list,
        calls: callsOf(random, pull, list),
        basis: basisOf(list, pull.basis),
        mark: undefined,
        label: `${name} ${owner}`,
      }
    })
  })
  const listsAt = visits.map((visit) =>
    lists.flatMap(({ list }, place) => (list.requests.includes(visit) ? [place] : [])),
  )
  return { visits, lists, listsAt }
}

function callsOf(random: Random, { source }: Pull, list: RecordList): number {
  if (source.kind === 'named') return source.ids(list).length
  const calls = source.calls(list, USER)
  const pages = calls.map(({ paging }) =>
    paging?.maxPages ? (random() < TWO_PAGES ? int(random, 2, paging.maxPages) : 1) : 1,
  )
  return pages.reduce((all, each) => all + each, 0)
}

/** The same for another device: what changes on it is its own. */
export function copyOf({ visits, lists, listsAt }: Work): Work {
  const copies = new Map(visits.map((visit) => [visit, { ...visit }]))
  const of = (visit: RequestRecord) => copies.get(visit) ?? visit
  return {
    visits: visits.map(of),
    lists: lists.map((each) => ({
      ...each,
      list: { owner: each.list.owner, requests: each.list.requests.map(of) },
    })),
    listsAt,
  }
}
