/** Builds the parts of a request's response that come from other resources, and finds a request's visit. */
import { seedVisitsOfRequest, type SeedVisit } from '#demo-crm/seed/visits.ts'
import type { Route } from './call.ts'
import type { World } from './world.ts'

/** Makes a table whose groups are requests. @param seed returns the rows that exist before any call */
export const ofVisits = <R>(seed: (visits: SeedVisit[], now: number) => R[], routes: Route[]) => ({
  seed: (requestId: string, now: number) => seed(seedVisitsOfRequest(requestId), now),
  routes,
})

/** Registration states of a request's records (crm-contract 4). */
export const RegistrationState = { unregistered: '1', registered: '2', notAllowed: '3' } as const

export const ttsOrderOf = ({ area, orderFlag, emergency }: SeedVisit) => ({
  orderFlag,
  emergencyFlag: emergency ? '1' : null,
  parkingType: area.parkingType,
  parkingMethod: area.parkingMethod,
  inMethod: area.inMethod,
  locationArea: { id: area.id, name: area.name, noteLocationArea: [] },
  customer: {
    name: area.customerName,
    prefectureName: '東京都',
    city: area.city,
    address1: area.address1,
    address2: area.address2,
  },
  salesMearge: { name: area.salesName },
})

const statusOf = (record: { id: string } | undefined, allowed: boolean) => {
  if (record) return RegistrationState.registered
  return allowed ? RegistrationState.unregistered : RegistrationState.notAllowed
}

const ref = (record: { id: string } | undefined) => (record ? { id: record.id } : null)

/** Returns states and ids of a request's change requests, at most one of each kind. */
export function changesOf(world: World, visit: SeedVisit) {
  const customerLocation = world.table('customerLocationChangeRequests').of(visit.id)[0]
  const contacts = world.table('locationContactChangeRequests').of(visit.id)
  const [entry, exit] = ['02', '03'].map((type) => contacts.find((row) => row.type === type))
  return {
    customerLocationChangeStatus: statusOf(
      customerLocation,
      visit.orderFlag !== '5' && visit.orderFlag !== '6',
    ),
    customerLocationChangeRequest: ref(customerLocation),
    inLocationContactChangeStatus: statusOf(entry, visit.inContact !== null),
    inLocationContactChangeRequest: ref(entry),
    outLocationContactChangeStatus: statusOf(exit, visit.outContact !== null),
    outLocationContactChangeRequest: ref(exit),
  }
}

/** Returns a request's visit on a day; without a day, the first from today on, or the last if all are past. */
export function visitFor(world: World, requestId: string, workingDate: string | null): SeedVisit | undefined {
  const visits = seedVisitsOfRequest(requestId)
  if (workingDate) return visits.find((visit) => visit.workingDate === workingDate)
  return visits.find((visit) => visit.workingDate >= world.today) ?? visits.at(-1)
}
