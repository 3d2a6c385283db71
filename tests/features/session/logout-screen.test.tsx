import { waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import type { Services } from '#data/app-context.tsx'
import { LogoutScreen } from '#features/session/logout-screen.tsx'
import { renderFeature } from '../../support/render-feature.tsx'

const REDIRECT = { redirect: '/request/r1' }

test('[spec 2] clears the session once, then goes to the login and keeps the query', async () => {
  const answers: (() => void)[] = []
  const signOut = vi.fn<Services['signOut']>(() => new Promise((resolve) => answers.push(resolve)))
  const { screen, href } = await renderFeature(<LogoutScreen search={REDIRECT} />, {
    path: '/logout',
    services: { signOut },
  })
  expect(screen.getByRole('heading', { name: 'ログアウト' })).toBeDefined()
  expect(screen.getByText('ログイン画面へ遷移中...')).toBeDefined()
  expect(href()).toBe('/logout')
  answers[0]?.()
  await waitFor(() => expect(href()).toBe('/login?redirect=%2Frequest%2Fr1'))
  expect(signOut).toHaveBeenCalledOnce()
})

test('[spec 4] a session that timed out is not forgotten: the login asks for the same user', async () => {
  const { services, href } = await renderFeature(<LogoutScreen search={REDIRECT} timedOut />, {
    path: '/logout',
  })
  await waitFor(() => expect(href()).toBe('/login?redirect=%2Frequest%2Fr1'))
  expect(services.signOut).not.toHaveBeenCalled()
})
