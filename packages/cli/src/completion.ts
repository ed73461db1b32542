import tab from '@bomb.sh/tab/commander';
import type { Command } from 'commander';

/** `completion <shell>`, and the hidden command that its script calls. */
export function addCompletion(program: Command): void {
  tab(program, { completionCommandName: 'completion' });
}
