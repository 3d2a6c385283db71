import { fireEvent, waitFor, within } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { ConfirmSheet, isAtEnd } from '#ui/popup/confirm-sheet.tsx'
import { isKeyRepeat, isAccepted } from '#ui/base/press-guard.ts'
import { renderFeature } from '../support/render-feature.tsx'

const sheet = { openedAt: 1_000, guardMs: 400 }

describe('[hands 1] which presses a sheet takes', () => {
  test.each([
    ['a tap of its own after the guard', { at: 1_460, byPointer: true, downAt: 1_410 }, true],
    ['a tap at the very end of the guard', { at: 1_400, byPointer: true, downAt: 1_400 }, true],
    ['the second of two taps 110 ms apart', { at: 1_110, byPointer: true, downAt: 1_090 }, false],
    [
      'a tap that began in the guard and ended after it',
      { at: 1_450, byPointer: true, downAt: 1_399 },
      false,
    ],
    ['a press that began before the sheet stood', { at: 1_900, byPointer: true, downAt: null }, false],
    [
      'a finger that came down before it stood, told late',
      { at: 1_900, byPointer: true, downAt: 990 },
      false,
    ],
    ['Enter in the guard', { at: 1_200, byPointer: false, downAt: null }, false],
    ['Enter after it', { at: 1_401, byPointer: false, downAt: null }, true],
  ])('%s', (_, press, taken) => {
    expect(isAccepted(sheet, press)).toBe(taken)
  })

  test('a key held down before the sheet stood presses nothing in it', () => {
    expect(isKeyRepeat({ repeat: true, key: 'Enter' }, new Set())).toBe(true)
    expect(isKeyRepeat({ repeat: true, key: 'Enter' }, new Set(['Enter']))).toBe(false)
    expect(isKeyRepeat({ repeat: false, key: 'Enter' }, new Set())).toBe(false)
  })

  test('the question stands unanswered until its time is over', async () => {
    const onYes = vi.fn<() => void>()
    const { screen } = await renderFeature(
      <ConfirmSheet question="確認しましたか？" onYes={onYes} onNo={() => undefined} />,
      { pressGuardMs: 400 },
    )
    const dialog = await screen.findByRole('alertdialog')
    const tap = () => {
      const yes = within(dialog).getByRole('button', { name: 'はい' })
      fireEvent.pointerDown(yes)
      fireEvent.click(yes, { detail: 1 })
    }
    tap()
    fireEvent.click(within(dialog).getByRole('button', { name: 'はい' }))
    expect(onYes).not.toHaveBeenCalled()
    await waitFor(() => expect(dialog.hasAttribute('data-guarded')).toBe(false))
    // A browser's ResizeObserver reports the opened dialog. Here a scroll makes the sheet look where it ends.
    fireEvent.scroll(dialog)
    tap()
    expect(onYes).toHaveBeenCalledTimes(1)
  })
})

describe('[hands 1] what a question is about is read to its end', () => {
  test.each([
    [0, 500, 500, true],
    [0, 500, 900, false],
    [396.4, 500, 900, true],
    [300, 500, 900, false],
  ])('at %s of %s in %s: %s', (scrollTop, clientHeight, scrollHeight, end) => {
    expect(isAtEnd({ scrollTop, clientHeight, scrollHeight })).toBe(end)
  })

  test('はい says what it waits for, works after the end was in sight, and its line stays', async () => {
    const onYes = vi.fn<() => void>()
    const heights = vi.spyOn(Element.prototype, 'scrollHeight', 'get').mockReturnValue(900)
    const { screen, user } = await renderFeature(
      <ConfirmSheet question="確認しましたか？" onYes={onYes} onNo={() => undefined}>
        <p>長い説明</p>
      </ConfirmSheet>,
    )
    const yes = screen.getByRole('button', { name: 'はい', description: '最後まで確認してください' })
    expect(yes.getAttribute('aria-disabled')).toBe('true')
    await user.click(yes)
    expect(onYes).not.toHaveBeenCalled()
    const dialog = screen.getByRole('alertdialog')
    dialog.scrollTop = 900
    fireEvent.scroll(dialog)
    expect(await screen.findByText('最後まで確認しました')).toBeTruthy()
    expect(yes.hasAttribute('aria-disabled')).toBe(false)
    await user.click(yes)
    expect(onYes).toHaveBeenCalledTimes(1)
    heights.mockRestore()
  })

  test('a short one asks for no gesture and says nothing', async () => {
    const { screen } = await renderFeature(
      <ConfirmSheet question="確認しましたか？" onYes={() => undefined} onNo={() => undefined} />,
    )
    expect(screen.getByRole('button', { name: 'はい' }).hasAttribute('aria-disabled')).toBe(false)
    expect(screen.queryByText(/最後まで/)).toBeNull()
  })
})
