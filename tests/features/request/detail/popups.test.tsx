import { fireEvent, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { LOCK_AFTER_CLOSE_MS, LOCK_AT_LEAST_MS } from '#ui/popup/sheet.tsx'
import { REMOVAL_MS } from '#ui/popup/use-popup.ts'
import { DAY, openView } from './open-view.tsx'

test('[spec 9] the times of a popup', () => {
  expect([REMOVAL_MS, LOCK_AT_LEAST_MS, LOCK_AFTER_CLOSE_MS]).toEqual([150, 500, 300])
})

describe('[spec 2] a popup and the address', () => {
  const opened = async () => {
    const view = await openView()
    const { screen, user, href } = view
    const button = await screen.findByRole('button', { name: '入館登録' })
    await user.click(button)
    const dialog = await screen.findByRole('dialog', { name: '入館登録' })
    expect(href()).toBe('/request/1?popup=entry')
    return { ...view, dialog, button, isGone: () => waitFor(() => expect(dialog.isConnected).toBe(false)) }
  }

  test('the phone’s back button: it plays its way out, then it is gone', async () => {
    const { router, dialog, isGone, href } = await opened()
    router.history.back()
    await waitFor(() => expect(dialog.hasAttribute('data-leaving')).toBe(true))
    expect(dialog.isConnected).toBe(true)
    await isGone()
    expect(href()).toBe('/request/1')
  })

  test('閉じる twice closes once: one does not leave the screen', async () => {
    const { user, router, dialog, isGone, href } = await opened()
    await user.dblClick(within(dialog).getByRole('button', { name: '閉じる' }))
    await isGone()
    expect(href()).toBe('/request/1')
    expect(router.history.canGoBack()).toBe(false)
  })

  test('Escape closes it, and it opens again', async () => {
    const { screen, user, dialog, button, isGone } = await opened()
    fireEvent(dialog, new Event('cancel', { cancelable: true }))
    await isGone()
    await user.click(button)
    expect(await screen.findByRole('dialog', { name: '入館登録' })).toBeTruthy()
  })

  test('[spec 9] the page keeps still while it is open, and a little longer', async () => {
    const { user, dialog, isGone } = await opened()
    const isLocked = () => document.documentElement.hasAttribute('data-locked')
    expect(isLocked()).toBe(true)
    await user.click(within(dialog).getByRole('button', { name: '閉じる' }))
    await isGone()
    expect(isLocked()).toBe(true)
    await waitFor(() => expect(isLocked()).toBe(false))
  })

  test('opening a request screen closes it; the way back leads to the popup', async () => {
    const { screen, router, isGone, href } = await opened()
    await router.navigate({ to: '/quickReport/$id', params: { id: 'q-1' } } as never)
    await isGone()
    expect(href()).toBe('/quickReport/q-1')
    router.history.back()
    expect(await screen.findByRole('dialog', { name: '入館登録' })).toBeTruthy()
    expect(href()).toBe('/request/1?popup=entry')
  })

  test('one that came with the link is closed without leaving the screen', async () => {
    const { screen, user, href } = await openView({ popup: 'entry', workingDate: DAY })
    const sheet = within(await screen.findByRole('dialog', { name: '入館登録' }))
    await user.click(sheet.getByRole('button', { name: '閉じる' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(href()).toBe(`/request/1?workingDate=${DAY}`)
  })
})
