/** The lock of the screen: when it locks, over all tabs, and what opens it (decisions/encryption). */
import { IDBFactory } from 'fake-indexeddb'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { waitOf } from '#app/session/lock/tries.ts'
import { isDue } from '#app/session/lock/watch-visibility.ts'
import { SESSION, settled, signedIn } from '../../support/lock-device.ts'

const MINUTE = 60_000

beforeEach(() => {
  vi.stubGlobal('indexedDB', new IDBFactory())
  localStorage.clear()
})
afterEach(() => vi.unstubAllGlobals())

/** A field for files, as it stands on a page. */
function fileField(page: EventTarget) {
  const input = Object.assign(document.createElement('input'), { type: 'file' })
  const click = () => {
    const event = new Event('click')
    Object.defineProperty(event, 'target', { value: input })
    page.dispatchEvent(event)
  }
  return { input, click }
}

test.each([
  ['off', 0, 10 * MINUTE, false],
  ['0', 0, 2_400, false],
  ['0', 0, 2_500, true],
  ['5', 0, 5 * MINUTE - 1, false],
  ['5', 0, 5 * MINUTE, true],
  // a clock that was set back
  ['60', 10 * MINUTE, 9 * MINUTE, true],
  ['60', 10 * MINUTE, 10 * MINUTE - 1_000, false],
] as const)('[SV6a] after %s, last seen at %d, at %d: locked is %s', (after, seen, now, due) => {
  expect(isDue(after, seen, now)).toBe(due)
  expect(isDue(after, null, now)).toBe(after !== 'off')
})

test('[SV6] five tries are free; the next ones wait 1, 5, 15 and 60 minutes, and a clock set back shortens none', () => {
  const waits = [4, 5, 6, 7, 8, 20].map((count) => waitOf({ count, at: 0 }, 0) / MINUTE)
  expect(waits).toEqual([0, 1, 5, 15, 60, 60])
  expect(waitOf({ count: 6, at: 100 * MINUTE }, 102 * MINUTE)).toBe(3 * MINUTE)
  expect(waitOf({ count: 6, at: 100 * MINUTE }, 90 * MINUTE)).toBe(5 * MINUTE)
  expect(waitOf({ count: 6, at: 100 * MINUTE }, 105 * MINUTE)).toBe(0)
})

describe('[SV6] the lock', () => {
  test('destroys what opens, once the time is over; the password opens it again, and nothing else does', async () => {
    const { device, seal, open } = await signedIn()
    const tab = await device.tab()
    await tab.control.after.set('5')
    const sealed = await seal()
    await tab.see('hidden')
    await device.pass(4 * MINUTE)
    expect([tab.state(), await device.isUsable()]).toEqual(['open', true])
    await device.pass(MINUTE)
    expect([tab.state(), await device.isUsable()]).toEqual(['locked', false])
    await expect(open(sealed)).rejects.toThrow('no-key')
    await tab.see('visible')
    expect(tab.state()).toBe('locked')
    expect(await tab.control.unlock('wrong')).toEqual({ kind: 'wrong', waitMs: 0 })
    expect(await device.isUsable()).toBe(false)
    expect(await tab.control.unlock('password')).toEqual({ kind: 'open' })
    expect(tab.state()).toBe('open')
    expect(await open(sealed)).toBe('秘密')
    expect(device.session.get()?.accessToken).toBe('a')
  })

  test('is on the screen before anything is drawn, where the page slept through it, was killed, or its clock went back', async () => {
    const { device } = await signedIn()
    const tab = await device.tab()
    await tab.control.after.set('5')
    await tab.see('hidden')
    // frozen: no timer runs
    device.now += 6 * MINUTE
    const coming = tab.see('visible')
    expect(tab.state()).toBe('locked')
    await coming
    expect(await device.isUsable()).toBe(false)
    await tab.control.unlock('password')
    device.now -= MINUTE
    await tab.see('hidden')
    device.now -= MINUTE
    await tab.see('visible')
    expect([tab.state(), await device.isUsable()]).toEqual(['locked', false])
  })

  test('does not come with what the page has opened itself: a camera', async () => {
    const { device } = await signedIn()
    const reloaded = await device.tab()
    await reloaded.control.after.set('0')
    const { input, click } = fileField(reloaded.page)
    const tell = (type: string) => (type === 'click' ? click() : input.dispatchEvent(new Event(type)))
    // one that was left before has nobody in sight either
    const beside = await device.tab(false)
    tell('click')
    await reloaded.see('hidden')
    await device.pass(4 * MINUTE)
    expect(beside.states).toEqual(['open'])
    await reloaded.see('visible')
    tell('change')
    expect(reloaded.state()).toBe('open')
    tell('click')
    await reloaded.see('hidden')
    await device.pass(5 * MINUTE + 1_000)
    expect([reloaded.state(), await device.isUsable()]).toEqual(['locked', false])
  })

  test('comes as ever where a form went under an open chooser, or the browser says nothing of its end', async () => {
    const { device } = await signedIn()
    const tab = await device.tab()
    await tab.control.after.set('0')
    const { input, click } = fileField(tab.page)
    click()
    await tab.see('hidden')
    await device.pass(MINUTE)
    await tab.see('visible')
    expect(tab.state()).toBe('open')
    // chosen, and the field is in no document any more: or nothing is said at all
    input.dispatchEvent(new Event('change'))
    click()
    await tab.see('hidden')
    await tab.see('visible')
    await tab.see('hidden')
    await device.pass(4_000)
    expect([tab.state(), await device.isUsable()]).toEqual(['locked', false])
    await tab.see('visible')
    await tab.control.unlock('password')
    // over a page that stays in sight
    click()
    input.dispatchEvent(new Event('cancel'))
    await tab.see('hidden')
    await device.pass(4_000)
    expect(tab.state()).toBe('locked')
  })

  test('of one tab is that of all; while one is in use, none locks; one opens all', async () => {
    const { device, seal, open } = await signedIn()
    const [first, second] = [await device.tab(), await device.tab(false)]
    await first.control.after.set('0')
    await second.see('visible')
    await first.see('hidden')
    await device.pass(70_000)
    expect([first.state(), second.state()]).toEqual(['open', 'open'])
    const sealed = await seal()
    await second.see('hidden')
    await device.pass(4_000)
    expect([first.state(), second.state(), await device.isUsable()]).toEqual(['locked', 'locked', false])
    const third = await device.tab()
    expect(third.state()).toBe('locked')
    // both at once: one lock and one opening end as if one had come after the other
    const opening = third.control.unlock('password')
    await first.see('visible')
    expect(await opening).toEqual({ kind: 'open' })
    await settled()
    expect([first.state(), second.state(), third.state()]).toEqual(['open', 'open', 'open'])
    expect(await open(sealed)).toBe('秘密')
    expect(device.problems).toEqual([])
  })

  test('is not brought by a window that is opened beside one in use', async () => {
    const { device } = await signedIn()
    const tab = await device.tab()
    await tab.control.after.set('0')
    await device.pass(10_400)
    const beside = await device.tab()
    await device.pass(5_400)
    await beside.see('hidden')
    await device.pass(10_400)
    await beside.see('visible')
    expect([tab.states, beside.states]).toEqual([['open'], ['open']])
  })

  test('waits after wrong tries, over a reload, and a clock set back starts the wait anew', async () => {
    const { device } = await signedIn()
    const tab = await device.tab()
    await tab.control.after.set('0')
    await tab.see('hidden')
    await device.pass(4_000)
    const wrong: number[] = []
    for (let tried = 0; tried < 10; tried += 1) {
      const result = await tab.control.unlock('wrong')
      if (result.kind === 'wrong') wrong.push(result.waitMs / MINUTE)
      const waitMs = tab.control.wait()
      if (waitMs > 0) {
        expect(await tab.control.unlock('password')).toEqual({ kind: 'wait', waitMs })
        await device.pass(waitMs)
      }
    }
    expect(wrong).toEqual([0, 0, 0, 0, 1, 5, 15, 60, 60, 60])
    await tab.control.unlock('wrong')
    tab.kill()
    device.now -= 30 * MINUTE
    const next = await device.tab()
    expect(next.control.wait()).toBe(60 * MINUTE)
    await next.see('hidden')
    await device.pass(59 * MINUTE)
    expect(next.control.wait()).toBe(MINUTE)
    await device.pass(MINUTE)
    expect(await next.control.unlock('password')).toEqual({ kind: 'open' })
    expect(next.control.wait()).toBe(0)
  })

  test('is by default 15 minutes where a passkey could open it, also before one is set; else what is usable goes with the session', async () => {
    const { device } = await signedIn()
    device.passkeys.device.known = 'no'
    const tab = await device.tab()
    expect(await tab.control.setByDefault()).toBe(false)
    await tab.see('hidden')
    await device.pass(24 * 60 * MINUTE)
    expect([tab.control.after.get(), tab.state(), await device.isUsable()]).toEqual(['off', 'open', true])
    await device.logout()
    expect(await device.isUsable()).toBe(false)
    // nobody is signed in: whether there is a key is not known
    device.passkeys.device.known = 'yes'
    expect(await tab.control.setByDefault()).toBe(false)
    await device.login('password')
    await tab.see('visible')
    expect(await tab.control.setByDefault()).toBe(true)
    await tab.see('hidden')
    await device.pass(14 * MINUTE)
    expect([tab.control.after.get(), await device.isUsable()]).toEqual(['15', true])
    await device.pass(2 * MINUTE)
    expect([tab.state(), await device.isUsable()]).toEqual(['locked', false])
    expect(await tab.control.unlock('password')).toEqual({ kind: 'open' })
  })

  test('is set by default once, and never over a choice, nor where the browser cannot say that a passkey would open it', async () => {
    const { device } = await signedIn()
    device.passkeys.device.known = 'maybe'
    const tab = await device.tab()
    expect(await tab.control.setByDefault()).toBe(false)
    device.passkeys.device.known = 'yes'
    await tab.control.after.set('5')
    expect(await tab.control.setByDefault()).toBe(false)
    await tab.control.after.set('off')
    expect([await tab.control.setByDefault(), tab.control.after.get()]).toEqual([false, 'off'])
    // also to the next page, and to whoever logs in next
    await device.logout()
    await device.login('password')
    const next = await device.tab()
    expect([await next.control.setByDefault(), next.control.after.get()]).toEqual([false, 'off'])
  })

  test('and a logout in another tab: the password opens nothing without a session', async () => {
    const { device } = await signedIn()
    const tab = await device.tab()
    await tab.control.after.set('0')
    await tab.see('hidden')
    await device.pass(4_000)
    const trying = tab.control.unlock('password')
    await device.logout()
    expect(await trying).not.toEqual({ kind: 'open' })
    await settled()
    expect([tab.state(), await device.isUsable()]).toEqual(['open', false])
  })

  test('of a tab does not bring back what another has just locked', async () => {
    const { device } = await signedIn()
    const tab = await device.tab()
    await tab.control.after.set('5')
    await tab.see('hidden')
    device.now += 5 * MINUTE
    // a look that was begun before
    device.session.set({ ...SESSION, accessToken: 'b' })
    await tab.see('visible')
    expect(tab.states).toEqual(['open', 'locked'])
  })
})
