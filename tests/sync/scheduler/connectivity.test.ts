import { BehaviorSubject } from 'rxjs'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { reportsFrom, createConnectivity, type ConnectivityParts } from '#sync/runtime/connectivity.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function newPhone(
  given: Partial<Pick<ConnectivityParts, 'initial' | 'isWindows'>> & { visible?: boolean } = {},
) {
  const { initial = true, isWindows = false, visible = true } = given
  // the browser's events, of which there is none at the start
  const events$ = new BehaviorSubject(initial)
  const visible$ = new BehaviorSubject(visible)
  const crm = { reachable: true, probes: 0, slow: 0 }
  const browser = { onLine: initial }
  events$.subscribe((online) => (browser.onLine = online))
  const connectivity = createConnectivity({
    initial,
    events$,
    flag: () => browser.onLine,
    visible$,
    isWindows,
    random: () => 0,
    probe: async () => {
      crm.probes += 1
      if (crm.slow > 0) await new Promise((resolve) => setTimeout(resolve, crm.slow))
      return crm.reachable
    },
  })
  const seen: boolean[] = []
  connectivity.online$.subscribe((online) => seen.push(online))
  return {
    connectivity,
    events$,
    browser,
    visible$,
    crm,
    seen,
    wait: (ms: number) => vi.advanceTimersByTimeAsync(ms),
  }
}

describe('the badge goes by', () => {
  test.each([true, false])('the browser at the start: %s', (initial) => {
    const { connectivity, seen } = newPhone({ initial })
    expect([connectivity.isOnline(), seen]).toEqual([initial, [initial]])
  })

  test('the browser’s events, each change told once', () => {
    const { connectivity, events$, seen } = newPhone()
    for (const online of [false, false, true, true, false]) events$.next(online)
    expect(seen).toEqual([true, false, true, false])
    expect(connectivity.isOnline()).toBe(false)
  })

  test('what the calls find: the browser says online, and nobody answers', () => {
    const { connectivity, seen } = newPhone()
    connectivity.begin()(false)
    connectivity.begin()(false)
    connectivity.begin()(true)
    expect(seen).toEqual([true, false, true])
  })
})

test('[OC4] calls may leave while nobody answers, and not while the browser itself is offline', () => {
  const { connectivity, events$ } = newPhone()
  const may: boolean[] = []
  connectivity.mayTry$.subscribe((each) => may.push(each))
  connectivity.begin()(false)
  expect([connectivity.isOnline(), may]).toEqual([false, [true]])
  events$.next(false)
  events$.next(true)
  expect(may).toEqual([true, false, true])
})

describe('a call without an answer', () => {
  const tellingOf = (failures: number, stopped = new AbortController()) => {
    const phone = newPhone()
    const circuit = { failures: () => failures }
    return { ...phone, stopped, begin: reportsFrom(phone.connectivity, circuit, stopped.signal) }
  }

  test('says that the CRM cannot be reached once another had none', () => {
    const first = tellingOf(1)
    first.begin()(false)
    expect(first.seen).toEqual([true])
    const second = tellingOf(2)
    second.begin()(false)
    expect(second.seen).toEqual([true, false])
  })

  test('because the sync itself has cut it off (a lock, a logout, another tab leads) says nothing of the signal', () => {
    const { begin, stopped, seen } = tellingOf(0)
    const tell = begin()
    stopped.abort()
    tell(false)
    expect(seen).toEqual([true])
  })
})

describe('[OC4] an answer of before the browser went offline', () => {
  test('does not bring the app back online', () => {
    const { connectivity, events$, seen } = newPhone()
    const tell = connectivity.begin()
    events$.next(false)
    tell(true)
    expect([connectivity.isOnline(), seen]).toEqual([false, [true, false]])
  })

  test('counts where the browser is online again', () => {
    const { connectivity, events$, seen } = newPhone()
    const tell = connectivity.begin()
    for (const online of [false, true]) events$.next(online)
    connectivity.begin()(false)
    tell(true)
    expect(seen).toEqual([true, false, true, false, true])
  })

  test('is not that of a call that began afterwards: the browser may be wrong', () => {
    const { connectivity, events$ } = newPhone()
    events$.next(false)
    events$.next(false)
    connectivity.begin()(true)
    expect(connectivity.isOnline()).toBe(true)
  })

  test('nor is that of a probe on Windows', async () => {
    const { connectivity, crm, events$, wait } = newPhone({ isWindows: true })
    crm.slow = 300
    await wait(100)
    events$.next(false)
    await wait(300)
    expect(connectivity.isOnline()).toBe(false)
    await wait(1_000)
    expect(connectivity.isOnline()).toBe(true)
  })
})

describe('[OC4] after a call without an answer it asks, with longer and longer pauses', () => {
  test('until the CRM answers', async () => {
    const { connectivity, crm, wait } = newPhone()
    crm.reachable = false
    connectivity.begin()(false)
    const asked = []
    for (const ms of [499, 1, 999, 1, 1_999, 1]) {
      await wait(ms)
      asked.push(crm.probes)
    }
    expect(asked).toEqual([0, 1, 1, 2, 2, 3])
    crm.reachable = true
    await wait(4_000)
    expect(connectivity.isOnline()).toBe(true)
    await wait(600_000)
    expect(crm.probes).toBe(4)
  })

  test('from 500 ms again after it was there in between', async () => {
    const { connectivity, crm, wait } = newPhone()
    crm.reachable = false
    connectivity.begin()(false)
    await wait(3_500)
    expect(crm.probes).toBe(3)
    connectivity.begin()(true)
    connectivity.begin()(false)
    await wait(500)
    expect(crm.probes).toBe(4)
  })

  test('not while the browser itself says offline', async () => {
    const { connectivity, crm, events$, wait } = newPhone()
    events$.next(false)
    connectivity.begin()(false)
    await wait(600_000)
    expect(crm.probes).toBe(0)
  })

  test('not while nobody looks, and from 500 ms when somebody does', async () => {
    const { connectivity, crm, visible$, wait } = newPhone()
    crm.reachable = false
    connectivity.begin()(false)
    visible$.next(false)
    await wait(600_000)
    expect(crm.probes).toBe(0)
    visible$.next(true)
    await wait(500)
    expect(crm.probes).toBe(1)
  })

  test('nothing is asked while all is well', async () => {
    const { crm, wait } = newPhone()
    await wait(3_600_000)
    expect(crm.probes).toBe(0)
  })
})

describe('[spec 4] on Windows, whose events lie, it asks every second', () => {
  test('while the page is in sight', async () => {
    const { connectivity, crm, visible$, wait } = newPhone({ isWindows: true })
    await wait(0)
    expect(crm.probes).toBe(1)
    await wait(3_000)
    expect(crm.probes).toBe(4)
    crm.reachable = false
    await wait(1_000)
    expect(connectivity.isOnline()).toBe(false)
    crm.reachable = true
    await wait(1_000)
    expect(connectivity.isOnline()).toBe(true)
    visible$.next(false)
    const { probes } = crm
    await wait(60_000)
    expect(crm.probes).toBe(probes)
  })

  test('also where the browser says offline', async () => {
    const { connectivity, wait } = newPhone({ isWindows: true, initial: false })
    await wait(0)
    expect(connectivity.isOnline()).toBe(true)
  })

  test('one at a time, however slow', async () => {
    const { crm, wait } = newPhone({ isWindows: true })
    crm.slow = 2_500
    await wait(2_400)
    expect(crm.probes).toBe(1)
    await wait(1_000)
    expect(crm.probes).toBe(2)
  })
})

test('stopped, it asks and tells nothing more', async () => {
  const { connectivity, crm, events$, seen, wait } = newPhone({ isWindows: true })
  await wait(0)
  connectivity.stop()
  events$.next(false)
  await wait(60_000)
  expect([crm.probes, seen]).toEqual([1, [true]])
})

test('[OC4] a page that slept over the browser’s event hears of it when it comes into sight, once', () => {
  const { connectivity, browser, visible$ } = newPhone()
  const may: boolean[] = []
  let cameOnline = 0
  connectivity.mayTry$.subscribe((each) => may.push(each))
  connectivity.cameOnline$.subscribe(() => (cameOnline += 1))
  const wake = (onLine: boolean) => {
    visible$.next(false)
    browser.onLine = onLine
    visible$.next(true)
  }
  for (const onLine of [false, false, true, true]) wake(onLine)
  expect([connectivity.isOnline(), may, cameOnline]).toEqual([true, [true, false, true], 1])
})
