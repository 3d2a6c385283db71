import { expect, test } from 'vitest'
import { browserOf, systemOf } from '#lib/browser/user-agent.ts'

const WEBKIT = 'AppleWebKit/605.1.15 (KHTML, like Gecko)'
const BLINK = 'AppleWebKit/537.36 (KHTML, like Gecko)'

test.each([
  [
    `Mozilla/5.0 (Linux; Android 14; K) ${BLINK} Chrome/153.0.0.0 Mobile Safari/537.36`,
    'Chrome 153.0.0.0',
    'Android 14',
  ],
  [
    `Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) ${WEBKIT} Version/18.5 Mobile/15E148 Safari/604.1`,
    'Safari 18.5',
    'iOS 18.5',
  ],
  [
    `Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) ${WEBKIT} CriOS/153.0 Mobile/15E148 Safari/604.1`,
    'Chrome 153.0',
    'iOS 18.5',
  ],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${BLINK} Chrome/153.0.0.0 Safari/537.36 Edg/153.0.1.2`,
    'Edge 153.0.1.2',
    'Windows 10.0',
  ],
  [
    `Mozilla/5.0 (Linux; Android 14; SM-S918B) ${BLINK} SamsungBrowser/27.0 Chrome/125.0 Mobile Safari/537.36`,
    'Samsung Internet 27.0',
    'Android 14',
  ],
  [
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${WEBKIT} Version/18.5 Safari/605.1.15`,
    'Safari 18.5',
    'macOS 10.15.7',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox 140.0', 'Linux'],
  [
    `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${BLINK} Chrome/153.0.0.0 Safari/537.36`,
    'Chrome 153.0.0.0',
    'ChromeOS 14541.0.0',
  ],
  ['', 'unknown', 'unknown'],
])('%s', (agent, browser, system) => {
  expect(browserOf(agent)).toBe(browser)
  expect(systemOf(agent)).toBe(system)
})
