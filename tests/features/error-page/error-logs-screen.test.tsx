import { waitFor } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import type { ErrorLogSent, Services } from '#data/context/app-context.tsx'
import { ErrorLogsScreen } from '#features/error-page/error-logs-screen.tsx'
import { renderFeature, testValue } from '../../support/render-feature.tsx'
import { uncaughtIn } from '../../support/uncaught.ts'

async function openErrors(count: number, services: Partial<Services> = {}, result: ErrorLogSent = 'sent') {
  const entries = testValue<number | null>(count)
  const send = vi.fn<() => Promise<ErrorLogSent>>(async () => {
    if (result === 'sent') entries.set(0)
    return result
  })
  const opened = await renderFeature(<ErrorLogsScreen />, {
    path: '/error-logs',
    services: {
      errorLog: {
        ...entries,
        send,
        note: vi.fn<Services['errorLog']['note']>(),
        text: async () => 'message: Error: x\nscreen: /request',
      },
      ...services,
    },
  })
  return { ...opened, send, flash: () => opened.services.flash.get()[0] }
}

const SEND = { name: 'エラーレポートを送信' }

describe('[screens /error-logs] エラーレポート', () => {
  test('with nothing in the log it says that no report is needed', async () => {
    const { screen, user, href } = await openErrors(0)
    expect(screen.getByRole('heading', { level: 1, name: 'エラーレポート' })).toBeTruthy()
    expect(screen.getByText('エラーレポートを送信する必要はありません。')).toBeTruthy()
    expect(screen.queryByRole('button', SEND)).toBeNull()
    await user.click(screen.getByRole('link', { name: '戻る' }))
    expect(href()).toBe('/request')
  })

  test('[EX7] shows to the letter what is sent', async () => {
    const { screen, user } = await openErrors(3)
    await user.click(screen.getByText('送信する内容を見る'))
    expect((await screen.findByText(/message: Error: x/)).textContent).toBe(
      'message: Error: x\nscreen: /request',
    )
  })

  test('sends, says so, and is empty then', async () => {
    const { screen, user, send, flash } = await openErrors(3)
    expect(screen.getByRole('heading', { name: 'エラーが3件記録されています' })).toBeTruthy()
    await user.click(screen.getByRole('button', SEND))
    expect(await screen.findByText('エラーレポートを送信する必要はありません。')).toBeTruthy()
    expect(send).toHaveBeenCalledOnce()
    expect(flash()).toMatchObject({ mode: 'email', text: 'エラーレポートを送信しました。' })
  })

  test.each<[ErrorLogSent, string, string]>([
    ['offline', 'warning', '電波がないため送信できませんでした。記録は端末に残っています。'],
    ['failed', 'danger', 'エラーレポートを送信できませんでした。記録は端末に残っています。'],
  ])('%s: says so, and can be tried again', async (result, mode, text) => {
    const { screen, user, flash, send } = await openErrors(1, {}, result)
    await user.click(screen.getByRole('button', SEND))
    expect(flash()).toMatchObject({ mode, text })
    await user.click(await screen.findByRole('button', SEND))
    expect(send).toHaveBeenCalledTimes(2)
  })

  test('offline it waits for a signal', async () => {
    const { screen } = await openErrors(1, { online: testValue(false) })
    expect(screen.getByRole<HTMLButtonElement>('button', SEND).disabled).toBe(true)
    expect(screen.getByText('電波の届く場所で送信できます。')).toBeTruthy()
  })

  test('a guest logs in first, and comes back', async () => {
    const { screen } = await openErrors(1, {
      session: testValue<ReturnType<Services['session']['get']>>(null),
    })
    expect(screen.queryByRole('button', SEND)).toBeNull()
    expect(screen.getByRole('link', { name: 'ログインして送信' }).getAttribute('href')).toContain(
      '/login?redirect=',
    )
  })
})

describe('[SV1] what fails in itself', () => {
  test('a sending that throws is said, and can be tried again', async () => {
    const send = vi.fn<Services['errorLog']['send']>(async () => {
      throw new TypeError('not on this device')
    })
    const note = vi.fn<Services['errorLog']['note']>()
    const errorLog = { ...testValue<number | null>(3), send, note, text: async () => '' }
    const { screen, user, flash } = await openErrors(3, { errorLog })
    const button = screen.getByRole('button', SEND)
    await user.click(button)
    await waitFor(() => expect(flash()?.mode).toBe('danger'))
    expect(button.getAttribute('aria-busy')).not.toBe('true')
    expect(note).toHaveBeenCalledOnce()
    await user.click(button)
    expect(send).toHaveBeenCalledTimes(2)
  })

  test('a text that cannot be had is no new error: it would ask for the text again, for ever', async () => {
    const text = vi.fn<Services['errorLog']['text']>(async () => {
      throw new TypeError('not on this device')
    })
    const errorLog = { ...testValue<number | null>(3), send: async () => 'sent', note: () => undefined, text }
    const uncaught = await uncaughtIn(async () => {
      const { screen } = await openErrors(3, { errorLog } as never)
      expect(await screen.findByText('内容を表示できませんでした。')).toBeTruthy()
    })
    expect(uncaught).toEqual([])
    expect(text).toHaveBeenCalledOnce()
  })
})
