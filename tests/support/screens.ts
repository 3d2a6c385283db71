/**
 * The screens' tests of a worker share one process and one page (vite.config.ts), which saves loading the modules for each
 * file. This runs before each file: after each test its screens go and what they began ends; after the file the page is as
 * it was.
 */
import { cleanup, configure } from '@testing-library/react'
import { afterAll, afterEach, vi } from 'vitest'
import { undo } from './undo.ts'

/** A loaded machine is slow, not wrong: what is looked for gets the time. */
configure({ asyncUtilTimeout: 8_000 })

afterEach(async () => {
  cleanup()
  await undo()
})

afterAll(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
  localStorage.clear()
  sessionStorage.clear()
  history.replaceState(null, '', '/')
  document.title = ''
  document.head.replaceChildren()
  document.body.replaceChildren()
  for (const element of [document.documentElement, document.body])
    for (const { name } of [...element.attributes]) element.removeAttribute(name)
})
