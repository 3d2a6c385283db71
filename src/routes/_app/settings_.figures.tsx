import { createFileRoute } from '@tanstack/react-router'
import { FiguresScreen } from '#features/settings/figures-screen.tsx'

export const Route = createFileRoute('/_app/settings_/figures')({ component: FiguresScreen })
