/** Random days of a locked phone: its tabs, its clock, its user and a thief (decisions/encryption). */
import fc from 'fast-check'
import { IDBFactory } from 'fake-indexeddb'
import { afterEach, expect, test, vi } from 'vitest'
import { isDue, lockAfterMs } from '#app/session/lock/watch-visibility.ts'
import { createSealer } from '#data/encryption/key-ring.ts'
import type { Sealed } from '#data/encryption/seal.ts'
import { lockAfterOf, type LockAfter } from '#lib/browser/screen-lock.ts'
import { lockDevice } from '../../support/lock-device.ts'

const DAYS = 12
const LIMIT_MS = 60_000
/** Another tab is looked for so often, and what is given back is free so much later. */
const SLACK_MS = 62_000
const MINUTE = 60_000

type Tab = Awaited<ReturnType<Awaited<ReturnType<typeof lockDevice>>['tab']>>

const event = fc.oneof(
  fc.record({ kind: fc.constantFrom('see', 'leave', 'kill'), pick: fc.nat(2) }),
  fc.record({ kind: fc.constantFrom('open', 'restore', 'unlock', 'wrong', 'passkey', 'logout', 'back') }),
  fc.record({ kind: fc.constant('pass'), ms: fc.constantFrom(1_000, 20_000, 6 * MINUTE) }),
  fc.record({ kind: fc.constant('set'), after: fc.constantFrom<LockAfter>('0', '5', 'off') }),
)

afterEach(() => vi.unstubAllGlobals())

test(
  '[SV6a] nothing usable lies there once nobody has looked for the time, tabs and disk agree, and the password opens all of it',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(event, { minLength: 6, maxLength: 14 }), async (events) => {
        vi.stubGlobal('indexedDB', new IDBFactory())
        localStorage.clear()
        const device = await lockDevice()
        await device.login('password')
        const place = [device.user, 'drafts', 'd'] as const
        const sealer = () => createSealer(device.keys.ring(device.user))
        const sealed = (await sealer().sealValue(place, '秘密')) as Sealed
        let tabs: Tab[] = [await device.tab()]
        const isSeen = () => tabs.some(({ page }) => page.visibilityState === 'visible')
        let seen = device.now
        for (const { kind, ...at } of events) {
          const tab = tabs[('pick' in at ? at.pick : 0) % Math.max(1, tabs.length)]
          const wasUsable = await device.isUsable()
          if (isSeen()) seen = device.now
          const isInUse = isSeen()
          if (kind === 'open' || kind === 'restore') tabs.push(await device.tab(kind === 'open'))
          if (kind === 'see') await tab?.see('visible')
          if (kind === 'leave') await tab?.see('hidden')
          if (kind === 'kill' && tab) {
            tab.kill()
            await tab.see('hidden')
            tabs = tabs.filter((each) => each !== tab)
          }
          if (kind === 'pass')
            await device.pass(Math.min('ms' in at ? at.ms : 0, isSeen() ? 20_000 : Infinity))
          if (kind === 'back' && !isSeen()) device.now -= 10 * MINUTE
          if (kind === 'set' && tab?.page.visibilityState === 'visible') {
            await tab.control.after.set('after' in at ? at.after : 'off')
          }
          if (kind === 'unlock') await tab?.control.unlock('password')
          if (kind === 'wrong') expect((await tab?.control.unlock('wrong'))?.kind).not.toBe('open')
          if (kind === 'passkey') await tab?.control.unlockByPasskey()
          if (kind === 'logout') {
            await device.logout()
            await device.login('password')
          }
          await device.pass(0)
          if (isSeen()) seen = device.now
          const usable = await device.isUsable()
          for (const { state } of tabs) expect(state()).toBe(usable ? 'open' : 'locked')
          const after = lockAfterOf(device.values.get('lock'))
          // all pages closed: nothing that opens is left
          if (after !== 'off') expect(await device.isOnDisk()).toBe(false)
          if (after !== 'off' && tabs.length > 0 && isDue(after, seen, device.now - SLACK_MS))
            if (device.now - seen >= lockAfterMs(after) + SLACK_MS) expect(usable).toBe(false)
          // in use in one tab: none locks
          if (kind === 'pass' && isInUse && wasUsable) expect(usable).toBe(true)
        }
        for (const { see } of tabs) await see('hidden')
        // whatever wrong tries wait for
        await device.pass(61 * MINUTE)
        const last = await device.tab()
        await last.control.unlock('password')
        expect(await sealer().openValue(place, sealed)).toBe('秘密')
        expect(device.problems).toEqual([])
      }),
      { numRuns: DAYS },
    )
  },
  LIMIT_MS,
)
