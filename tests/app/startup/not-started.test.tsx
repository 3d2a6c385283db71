/** A start that cannot be made: what stands in the page says so. */
import { act, cleanup, render, screen } from '@testing-library/react'
import { IDBFactory } from 'fake-indexeddb'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { start } from '#app/start.tsx'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

beforeEach(() => {
  vi.stubGlobal('indexedDB', new IDBFactory())
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue(['ja-JP'])
})

/** Of one that fails with `error` at the first look into what the browser keeps. */
async function started(error: unknown): Promise<void> {
  const refuse = () => {
    throw error
  }
  vi.stubGlobal('localStorage', { getItem: refuse, setItem: refuse, removeItem: refuse })
  vi.spyOn(console, 'error').mockReturnValue(undefined)
  render(await start())
}

test.each([
  ['cookies are blocked', new DOMException('denied', 'SecurityError'), /ブラウザーの保存領域を使えません/],
  ['no database', new DOMException('no', 'InvalidStateError'), /ブラウザーの保存領域を使えません/],
  ['anything else', new Error('x'), /予期しないエラーが発生しました/],
])('[SV1] where nothing can be kept the app does not open, and says why: %s', async (_, error, text) => {
  await started(error)
  expect(screen.getByRole('heading').textContent).toBe('アプリを開けません')
  expect(screen.getByRole('alert').textContent).toMatch(text)
  expect(screen.getByRole('button', { name: '読み込み直す' })).toBeTruthy()
  expect(console.error).toHaveBeenCalledWith(error)
})

test('[SV1e] storage that does not answer: the page says so, until the app begins or cannot', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  vi.spyOn(console, 'error').mockReturnValue(undefined)
  const asked: { error: unknown; onerror: (() => void) | null }[] = []
  const open = () => {
    const request = { error: new DOMException('no', 'InvalidStateError'), onerror: null }
    asked.push(request)
    return request
  }
  vi.stubGlobal('indexedDB', { open })
  const starting = start()
  await vi.advanceTimersByTimeAsync(9_000)
  const said = '読み込みに時間がかかっています。変わらないときは、読み込み直してください。'
  expect(screen.queryByText(said)).toBeNull()
  await vi.advanceTimersByTimeAsync(2_000)
  vi.useRealTimers()
  await screen.findByText(said)
  expect(screen.getByRole('button', { name: '読み込み直す' })).toBeTruthy()
  await act(async () => {
    for (const { onerror } of asked) onerror?.()
    await starting
  })
  expect(screen.queryByText(said)).toBeNull()
})
