import { describe, expect, test } from 'vitest'
import fc from 'fast-check'
import { redirectTarget } from '#lib/browser/redirect-target.ts'

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
    '/%6cogout',
    '/%6C%6Fgin',
    '/%256cogout',
    '/LOGOUT',
    '/logout%2f',
    '/%2F/evil.example',
    '/%5c/evil.example',
    '/%E0%A4%A',
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

describe('[spec 2] whatever a link says', () => {
  const PIECES = [
    ...[
      '/',
      '//',
      '\\',
      '%2f',
      '%5C',
      '%25',
      '%6c',
      '%09',
      '\t',
      '\n',
      ' ',
      '.',
      '..',
      '@',
      ':',
      '?',
      '#',
      '&',
      '=',
    ],
    ...[
      'redirect=',
      'login',
      'logout',
      'request',
      'outbox',
      'forbidden',
      'evil.example',
      'https:',
      'javascript:',
      'data:',
    ],
    ...['。', '／', '\u0000', '\u2028', '\uFEFF', '\uD800', '%', '%ZZ'],
  ]
  const links = fc.array(fc.constantFrom(...PIECES), { maxLength: 12 }).map((pieces) => pieces.join(''))

  const NOWHERE = /^\/(?:login|logout|forbidden|not-found|internal-server-error)?\/*$/i
  const isScreen = (target: string) => {
    const { origin, pathname } = new URL(target, 'https://app.example/login')
    let path = pathname
    for (let depth = 0; depth < 6 && path.includes('%'); depth++) path = decodeURIComponent(path)
    return origin === 'https://app.example' && !path.startsWith('//') && !NOWHERE.test(path)
  }

  test('100,000 links lead to a screen of this app, and never to login, logout or an error', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          links,
          links.map((rest) => `/${rest}`),
        ),
        (link) => {
          const target = redirectTarget(link)
          return isScreen(target) && redirectTarget(target) === target
        },
      ),
      { numRuns: 100_000 },
    )
  }, 60_000)
})
