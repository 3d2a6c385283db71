import { waitFor } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { Frame } from '#app/shell/frame.tsx'
import { ErrorPage, type ErrorKind } from '#features/error-page/error-page.tsx'
import { NotOnDevice } from '#features/request-form/list-load-state.tsx'
import { renderFeature } from '../../support/render-feature.tsx'

describe('[spec 2] the error group', () => {
  test.each<[Exclude<ErrorKind, 'not-on-device'>, string, string]>([
    ['not-found', '404 Not Found', '見つかりません（404 Not Found）'],
    ['forbidden', '403 Forbidden', '利用できません（403 Forbidden）'],
    ['internal-server-error', '500 Internal Server Error', 'エラー（500 Internal Server Error）'],
  ])('%s is titled %s, says it in Japanese and leads back', async (kind, title, heading) => {
    const services = { Frame, appName: '現場ワーク' }
    const opened = await renderFeature(<ErrorPage kind={kind} />, { path: `/${kind}`, services })
    const { screen, user, href } = opened
    await waitFor(() => expect(document.title).toBe(`${title} | 現場ワーク`))
    expect(screen.getByRole('heading', { level: 1, name: heading })).toBeDefined()
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
