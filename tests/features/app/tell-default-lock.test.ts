import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { tellDefaultLock } from '#app/tell-default-lock.ts'
import { createFlashStore } from '#data/flash-store.ts'
import { LOCK_NAME } from '#lib/screen-lock.ts'
import { i18n } from '../../support/i18n.ts'
import { testLock } from '../../support/render-feature.tsx'

beforeEach(() => {
  localStorage.clear()
  vi.stubGlobal('PublicKeyCredential', class {})
})
afterEach(() => vi.unstubAllGlobals())

async function told(isSet: boolean) {
  const flash = createFlashStore()
  const setByDefault = vi.fn<() => Promise<boolean>>(async () => isSet)
  await tellDefaultLock({ lock: testLock({ setByDefault }), flash, i18n })
  return { asked: setByDefault.mock.calls.length, titles: flash.get().map(({ title }) => title) }
}

test('[SV6] a lock that nobody has chosen is told, and where it is changed', async () => {
  expect(await told(true)).toEqual({ asked: 1, titles: ['アプリを離れて15分たつと、画面をロックします'] })
  expect(await told(false)).toEqual({ asked: 1, titles: [] })
})

test('where it was chosen, and where the browser has no passkeys, nothing of the lock is loaded', async () => {
  localStorage.setItem(LOCK_NAME, '5')
  expect(await told(true)).toEqual({ asked: 0, titles: [] })
  localStorage.clear()
  vi.stubGlobal('PublicKeyCredential', undefined)
  Reflect.deleteProperty(globalThis, 'PublicKeyCredential')
  expect(await told(true)).toEqual({ asked: 0, titles: [] })
})
