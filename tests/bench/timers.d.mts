import type { Page } from '@playwright/test'

/** Installs the virtual clock of the page's context, and counts in all pages that are opened from now on. */
export function startBusyTimers(page: Page): Promise<void>
export function busyTimers(
  pages: readonly Page[],
  pass: (ms: number) => Promise<void>,
): Promise<{ stack: string; times: number }[][]>
