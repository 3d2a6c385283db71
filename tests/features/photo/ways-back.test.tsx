/** What gloves press twice is done once, has one way back, and nothing is lost by it; nor by a way back that finds no room. */
import { act, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { FLASH_DISMISS_MS } from '#schemas/limits.ts'
import { uncaughtIn } from '../../support/uncaught.ts'
import { file, openForm } from './open-photos.tsx'

test('[hands 3] 削除 of a photo: what came back is saved, with its bytes', async () => {
  const { screen, user, add, submit, services, db, bytes, draft } = await openForm()
  await user.type(screen.getByLabelText('メモ'), '段差')
  await add(file('a.jpg'))
  await screen.findByText('入力途中')
  const key = (await draft())?.photos[0]?.key ?? ''
  await user.dblClick(screen.getByRole('button', { name: /a\.jpgを削除/ }))
  await waitFor(async () => expect((await draft())?.photos).toEqual([]))
  await waitFor(() => expect(services.flash.get()[0]?.act).toBeDefined())
  services.flash.get()[0]?.act?.run()
  await waitFor(async () => expect((await draft())?.photos).toHaveLength(1))
  // the time of whatever else is offered is over
  services.flash.clear()
  await submit()
  await waitFor(async () => expect(await draft()).toBeNull())
  expect((await db.photos.find().exec()).map((photo) => photo.key)).toEqual([key])
  expect(await bytes.get(key)).toBeDefined()
})

/** A form with a text and a photo, killed and opened again. */
async function restored() {
  const first = await openForm()
  await first.user.type(first.screen.getByLabelText('メモ'), '段差')
  await first.add(file('a.jpg'))
  await first.screen.findByText('入力途中')
  const device = first.kill()
  await waitFor(async () => expect((await first.draft())?.values).toContain('段差'))
  const opened = await openForm(device)
  const { screen } = opened
  return {
    ...opened,
    fresh: await screen.findByRole('button', { name: '最初から入力する' }),
    async dropped() {
      expect(await screen.findByText('入力途中の内容を削除しました。')).toBeDefined()
      await waitFor(() => expect(screen.queryByText('入力途中')).toBeNull())
    },
    async cameBack() {
      await screen.findByText('入力途中の内容を復元しました。')
      const { value } = screen.getByLabelText<HTMLInputElement>('メモ')
      return { text: value, photos: (await opened.draft())?.photos.length }
    },
  }
}

test('[hands 3] 最初から入力する: 元に戻す brings back what was typed and taken', async () => {
  const { screen, user, fresh, dropped, cameBack } = await restored()
  await Promise.all([user.click(fresh), user.click(fresh)])
  await dropped()
  await user.click(screen.getByRole('button', { name: '元に戻す' }))
  expect(await cameBack()).toEqual({ text: '段差', photos: 1 })
})

test('[hands 3] once its time has passed the button in the place of 元に戻す says so', async () => {
  const { screen, user, fresh, dropped } = await restored()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
  await user.click(fresh)
  await dropped()
  await act(() => vi.advanceTimersByTimeAsync(FLASH_DISMISS_MS))
  vi.useRealTimers()
  const over = screen.getByRole<HTMLButtonElement>('button', { name: '元に戻せる時間を過ぎました' })
  expect(over.disabled).toBe(true)
})

test('[SV1] 元に戻す that a full device did not take can be tried again', async () => {
  const { screen, user, db, fresh, dropped, cameBack } = await restored()
  await user.click(fresh)
  await dropped()
  const full = new DOMException('no room', 'QuotaExceededError')
  const again = screen.getByRole<HTMLButtonElement>('button', { name: '元に戻す' })
  // nobody catches it: it is said by the app
  await uncaughtIn(async () => {
    const insert = vi.spyOn(db.drafts, 'insertIfNotExists').mockRejectedValue(full)
    await user.click(again)
    await waitFor(() => expect(insert).toHaveBeenCalled())
    await waitFor(() => expect(again.disabled).toBe(false))
  })
  vi.restoreAllMocks()
  await user.click(again)
  expect(await cameBack()).toEqual({ text: '段差', photos: 1 })
})
