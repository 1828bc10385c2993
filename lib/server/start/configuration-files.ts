/** The files that settings name: they must be readable and good before the console starts. */
import { alertsFileProblem } from '../alerts/alert-config';
import { usersFileProblem } from '../authentication/users/local-users';
import { ConfigurationError } from '../environment';
import { secretFileProblems } from '../secret-file';

/** A console without its users file would look as if all users had been removed. @throws ConfigurationError */
export function refuseUnusableFiles(): void {
  const problems = [usersFileProblem(), alertsFileProblem(), ...secretFileProblems()].filter(
    (problem) => problem !== null,
  );
  if (problems.length > 0) throw new ConfigurationError(problems);
}
