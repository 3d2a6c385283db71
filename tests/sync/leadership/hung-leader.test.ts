/** Two tabs of one phone, and the one that talks to the CRM is frozen with its locks (decisions/tabs). */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { pageLocks } from '../../support/page-locks.ts'
import { atRest } from '../../support/at-rest.ts'
import { until, type Device } from '../../support/device.ts'
import { enter, ledgerOf, nth, todayScene } from '../../support/replication.ts'

const app = todayScene()
/** So often a leader that does not answer is asked (`leadership.ts`). */
const ASKS = 4
/** After eight of the asks of this phone (`askEveryMs`) of which none came. */
const UNSEEN_MS = 900

beforeEach(() => {
  // calls end by themselves after 2 s here
  app.phone.locks = pageLocks(4_000)
})

let tab: Device | undefined
afterEach(() => tab?.close())

/** Two tabs, the first one leads, and the requests that nobody has entered. */
async function twoTabs() {
  const leader = await app.open({ multiInstance: true })
  const free = await app.freeRequests(leader)
  const other = (tab = await app.phone.open({ multiInstance: true, beside: leader }))
  return { leader, other, first: nth(free, 0), second: nth(free, 1) }
}

const isEmpty = (device: Device) => until(async () => (await device.queue()).length === 0, 30_000)

const acted = () => app.writes().filter(({ acted: did }) => did)

test('[TB1][OC3][OC6] the leader is frozen while its call is under way: the other tab reads back and goes on', async () => {
  const { leader, other, first, second } = await twoTabs()
  await app.crm.faults.add({
    id: 'slow',
    kind: 'delay',
    path: 'quickReport/$',
    method: 'POST',
    ms: 300,
    count: 1,
  })
  await enter(leader, first)
  await until(async () => (await ledgerOf(other))[0]?.state === 'sending')
  const thaw = leader.freeze()
  await enter(other, second)
  await isEmpty(other)
  expect(await app.reports(first.id)).toHaveLength(1)
  expect(await app.reports(second.id)).toHaveLength(1)
  const before = await ledgerOf(other)
  thaw()
  await enter(leader, nth(await app.freeRequests(other), 2))
  await isEmpty(leader)
  expect(acted()).toHaveLength(3)
  expect((await ledgerOf(other)).filter(({ id }) => before.some((row) => row.id === id))).toEqual(before)
})

test('[TB2][OC6] the leader is frozen before its call leaves: when it thaws, the call does not leave', async () => {
  const { leader, other, first, second } = await twoTabs()
  const thaw = leader.freeze()
  await enter(leader, first)
  await until(async () => (await ledgerOf(other))[0]?.state === 'sending')
  await enter(other, second)
  await isEmpty(other)
  expect(acted()).toHaveLength(2)
  thaw()
  // the tab is back in line, and does what it is asked
  await enter(leader, nth(await app.freeRequests(other), 2))
  await isEmpty(leader)
  expect(acted()).toHaveLength(3)
  expect(app.writes()).toHaveLength(3)
  expect(await app.reports(first.id)).toHaveLength(1)
})

test('[TB1][PL5] the leader is out of sight, and another tab comes into it: there is a round', async () => {
  const { leader, other } = await twoTabs()
  const searches = () => app.crm.calls.filter(({ path }) => path.includes('request/search')).length
  leader.visible$.next(false)
  other.visible$.next(false)
  // the other tab has asked no more for so long that the leader knows that nobody looks
  await atRest(UNSEEN_MS)
  const before = searches()
  other.visible$.next(true)
  await until(() => searches() > before, 5_000)
})

test('[TB1] a leader that answers keeps its place', async () => {
  const { leader, other, first } = await twoTabs()
  const calls = () => app.crm.calls.length
  const answers = () => app.phone.said.filter((word) => word === 'here').length
  await until(() => answers() > 0)
  leader.network.next(false)
  await enter(other, first)
  const [before, known] = [calls(), answers()]
  // one more than a leader that does not answer is asked
  await until(() => calls() > before || answers() > known + ASKS)
  // it alone would send, and it has no signal
  expect(calls()).toBe(before)
  leader.network.next(true)
  await isEmpty(other)
})
