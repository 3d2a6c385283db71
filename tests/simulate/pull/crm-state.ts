/** What the CRM holds: rows as the contract has them, who changed them last, and since when something is not there. */
import { tokyoDay } from '#schemas/instant.ts'

import { PullFiles } from './files.ts'

export type Kind =
  | 'request'
  | 'quickReports'
  | 'emergencyReports'
  | 'noteLocationAreas'
  | 'pastReports'
  | 'safetyMeasures'
  | 'customerLocationChangeRequests'
  | 'locationContactChangeRequests'
  | 'supplierStaff'

export type Row = Record<string, unknown> & { id: string }

/** A visit as the office plans it. */
export interface Visit {
  id: string
  workingDate: string
  area: string
  /** Whose it is: a `supplierStaffId`. */
  staff: string
  situation: string
  goods: string
  devices: readonly string[]
}

export interface StaffUser {
  id: string
  staff: string
  supplier: string
}

export const USERS: readonly StaffUser[] = [
  { id: 'u1', staff: 'st1', supplier: 'sp1' },
  { id: 'u2', staff: 'st2', supplier: 'sp2' },
]

export const visitName = ({ id, workingDate }: Pick<Visit, 'id' | 'workingDate'>) => `${id}_${workingDate}`

/** Records by what they belong to: a visit, a request, an area, a device, a company. */
export class CrmState {
  readonly visits = new Map<string, Visit>()
  readonly records = new Map<Kind, Map<string, Row>>()
  /** What lies in the file store beside the records. */
  readonly files: PullFiles
  /** The office is about to give so many visits another day: each as the next window is between two of its pages. */
  readonly moves: number[] = []
  /** What changed, or went, while no row of the window told: a visit's details by its name, records by id. */
  readonly silent = new Set<string>()
  /** When something was last not there, by kind and name. */
  private readonly absent = new Map<string, number>()
  private made = 0
  private readonly now: () => number

  constructor(now: () => number) {
    this.now = now
    this.files = new PullFiles(now)
  }

  today = () => tokyoDay(this.now())
  newId = (prefix: string) => `${prefix}-${(this.made += 1)}`

  of(kind: Kind): Map<string, Row> {
    const known = this.records.get(kind)
    if (known) return known
    const rows = new Map<string, Row>()
    this.records.set(kind, rows)
    return rows
  }

  private gone(kind: Kind, name: string): void {
    this.absent.set(`${kind} ${name}`, this.now())
  }

  put(kind: Kind, row: Row): Row {
    if (!this.of(kind).has(row.id)) this.gone(kind, row.id)
    this.of(kind).set(row.id, row)
    return row
  }

  remove(kind: Kind, id: string): void {
    this.of(kind).delete(id)
    this.gone(kind, id)
  }

  plan(visit: Visit): void {
    const name = visitName(visit)
    const before = this.visits.get(name)
    if (before?.staff !== visit.staff) {
      this.gone('request', `${visit.staff} ${name}`)
      if (before) this.gone('request', `${before.staff} ${name}`)
    }
    this.visits.set(name, visit)
  }

  cancel(visit: Visit): void {
    this.visits.delete(visitName(visit))
    this.gone('request', `${visit.staff} ${visitName(visit)}`)
  }

  /** Whether it was not there at some moment since. @param name of a request: staff and visit */
  lackedSince(kind: Kind, name: string, since: number): boolean {
    const isThere =
      kind === 'request'
        ? this.visits.get(name.split(' ')[1] ?? '')?.staff === name.split(' ')[0]
        : this.of(kind).has(name)
    return !isThere || (this.absent.get(`${kind} ${name}`) ?? -Infinity) >= since
  }

  visitsOf = (staff: string) =>
    [...this.visits.values()]
      .filter((visit) => visit.staff === staff)
      .toSorted((a, b) => (a.workingDate + a.id < b.workingDate + b.id ? -1 : 1))

  visitsOfRequest = (id: string) => [...this.visits.values()].filter((visit) => visit.id === id)

  recordsOf = (kind: Kind, field: string, owner: string) =>
    [...this.of(kind).values()].filter((row) => row[field] === owner)
}
