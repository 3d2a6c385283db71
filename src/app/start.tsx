import '#ui/styles/index.css'
import { i18n } from '@lingui/core'
import type { ReactElement } from 'react'
import { messages } from '#locales/ja.po'
import { App } from './app.tsx'
import { boot } from './boot.ts'
import { createAppRouter } from './router.tsx'

/** Boots the app, and gives what is to be rendered. */
export async function start(): Promise<ReactElement> {
  // Chromium has its own; Safari does not yet
  if (!('Temporal' in globalThis)) await import('temporal-polyfill/global')
  i18n.loadAndActivate({ locale: 'ja', messages })
  const booted = await boot()
  return <App {...booted} router={createAppRouter(booted.report)} />
}
