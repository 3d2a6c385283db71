import { describe, expect, test } from 'vitest'
import { ErrorPage, type ErrorKind } from '#features/error-page/error-page.tsx'
import { NotOnDevice } from '#ui/not-on-device.tsx'
import { renderFeature } from '../../support/render-feature.tsx'

describe('[spec 2] the error group', () => {
  test.each<[Exclude<ErrorKind, 'not-on-device'>, string]>([
    ['not-found', '見つかりません（404 Not Found）'],
    ['forbidden', '利用できません（403 Forbidden）'],
    ['internal-server-error', 'エラー（500 Internal Server Error）'],
  ])('%s is titled %s and leads back', async (kind, title) => {
    const { screen, user, href } = await renderFeature(<ErrorPage kind={kind} />, { path: `/${kind}` })
    expect(screen.getByRole('heading', { level: 1, name: title })).toBeDefined()
    expect(screen.getByRole('heading', { level: 2 })).toBeDefined()
    await user.click(screen.getByRole('link', { name: '依頼検索へ戻る' }))
    expect(href()).toBe('/request')
  })
})

test('[spec 4] what is not on the device says so, and leads back', async () => {
  const { screen } = await renderFeature(<NotOnDevice />)
  expect(screen.getByRole('heading', { name: '端末に保存されていません' })).toBeDefined()
  expect(screen.getByRole('link', { name: '依頼検索へ戻る' }).getAttribute('href')).toBe('/request')
})
