import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { notifyDefaultLock } from '#app/shell/user-notifications.ts'
import { createFlashStore } from '#data/context/flash-store.ts'
import { i18n } from '../../support/i18n.ts'
import { testAfter, testLock } from '../../support/render-feature.tsx'

beforeEach(() => {
  vi.stubGlobal('PublicKeyCredential', class {})
})
afterEach(() => vi.unstubAllGlobals())

async function told(isSet: boolean, after = testAfter('off')) {
  const flash = createFlashStore()
  const setByDefault = vi.fn<() => Promise<boolean>>(async () => isSet)
  await notifyDefaultLock({ lock: testLock({ setByDefault, after }), flash, i18n })
  return { asked: setByDefault.mock.calls.length, titles: flash.get().map(({ title }) => title) }
}

test('[SV6] a lock that nobody has chosen is told, and where it is changed', async () => {
  expect(await told(true)).toEqual({ asked: 1, titles: ['アプリを離れて15分たつと、画面をロックします'] })
  expect(await told(false)).toEqual({ asked: 1, titles: [] })
})

test('where it was chosen, and where the browser has no passkeys, nothing of the lock is loaded', async () => {
  expect(await told(true, testAfter('5'))).toEqual({ asked: 0, titles: [] })
  vi.stubGlobal('PublicKeyCredential', undefined)
  Reflect.deleteProperty(globalThis, 'PublicKeyCredential')
  expect(await told(true)).toEqual({ asked: 0, titles: [] })
})
