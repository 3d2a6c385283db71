import { describe, expect, test } from 'vitest'
import { redirectTarget } from '#lib/redirect-target.ts'

describe('[spec 2] a login leads to', () => {
  test.each([
    ['/request', '/request'],
    ['/outbox', '/outbox'],
    [
      '/request/r1?workingDate=2026-11-20&popup=detail#goods',
      '/request/r1?workingDate=2026-11-20&popup=detail#goods',
    ],
    ['/login?redirect=%2Foutbox', '/outbox'],
    ['/logout?redirect=%2Flogin%3Fredirect%3D%252Fsettings', '/settings'],
    ['/request/r1?redirect=%2Foutbox', '/outbox'],
  ])('%s: %s', (redirect, target) => expect(redirectTarget(redirect)).toBe(target))
})

describe('[spec 2] a login leads to the request search instead of', () => {
  test.each([
    undefined,
    '',
    '/',
    '/login',
    '/logout',
    '/not-found',
    '/not-found/',
    '/forbidden?x=1',
    '/internal-server-error',
    '/login?redirect=',
    '/login?redirect=%2Fforbidden',
    '/login?redirect=https%3A%2F%2Fevil.example%2F',
    'outbox',
    'https://evil.example/',
    'javascript:alert(1)',
    '//evil.example/',
    '/\\evil.example/',
    '\\/evil.example/',
    '/\t/evil.example/',
    '/\n/evil.example/',
    '/.//evil.example/',
    '/x/..//evil.example/',
    ' /outbox',
  ])('%j', (redirect) => expect(redirectTarget(redirect)).toBe('/request'))
})
