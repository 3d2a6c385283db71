/**
 * The screens' tests of a worker share one process and one page (vite.config.ts), which saves loading the modules for each
 * file. This runs before each file: after each test its screens go and what they began ends; after the file the page is as
 * it was.
 */
import { equal } from 'node:assert/strict'
import { cleanup, configure } from '@testing-library/react'
import type { DetachedWindowAPI } from 'happy-dom'
import { afterAll, afterEach, vi } from 'vitest'
import { setShownLanguage, SOURCE_LANGUAGE } from '#lib/language.ts'
import { undo } from './undo.ts'

const ORIGIN = 'http://localhost:3000'

/** A loaded machine is slow, not wrong: what is looked for gets the time. */
configure({ asyncUtilTimeout: 8_000 })

/** A file that is saved is a link that is pressed: happy-dom would go there, and take all later files along. */
const { happyDOM } = window as Window & { happyDOM?: DetachedWindowAPI }
if (happyDOM)
  Object.assign(happyDOM.settings.navigation, {
    disableMainFrameNavigation: true,
    disableFallbackToSetURL: true,
  })

afterEach(async () => {
  cleanup()
  await undo()
  setShownLanguage(SOURCE_LANGUAGE, {})
})

afterAll(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
  localStorage.clear()
  sessionStorage.clear()
  equal(location.origin, ORIGIN)
  history.replaceState(null, '', '/')
  document.title = ''
  document.head.replaceChildren()
  document.body.replaceChildren()
  for (const element of [document.documentElement, document.body])
    for (const { name } of [...element.attributes]) element.removeAttribute(name)
})
