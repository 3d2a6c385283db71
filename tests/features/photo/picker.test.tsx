/** 写真を追加 is the camera or the library, also where a browser has ideas of its own. */
import { afterEach, expect, test, vi } from 'vitest'
import { openForm } from './open-photos.tsx'

const CHROME =
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile'
const FIREFOX = 'Mozilla/5.0 (Android 15; Mobile; rv:145.0) Gecko/145.0 Firefox/145.0'
const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15'

const PICTURES = ['image/png', 'image/jpeg', '.png', '.jpeg', '.jpg']

afterEach(() => void vi.restoreAllMocks())

test.each([
  ['Chrome on Android is asked for one type more: else it offers no camera', CHROME, ['android/allowCamera']],
  ['Firefox on Android', FIREFOX, []],
  ['an iPhone', IPHONE, []],
])('[screens, photos] %s', async (_, agent, more) => {
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(agent)
  const { screen } = await openForm()
  const { accept } = screen.getByLabelText<HTMLInputElement>('写真を追加')
  expect(accept.split(',')).toEqual([...PICTURES, ...more])
})
