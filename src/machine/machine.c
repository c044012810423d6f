/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The list of machines, and look-ups in a machine's rows. To add a machine, add its row file and an
 * entry in machines[].
 */
#include "machine/machine.h"

#include <string.h>

static const struct machine *const machines[] = { &machine_x86_64, &machine_aarch64,
						  &machine_i386 };
#define N_MACHINES (sizeof(machines) / sizeof(*machines))

const struct machine *machine_by_elf(uint16_t e_machine)
{
	for (size_t i = 0; i < N_MACHINES; i++)
		if (machines[i]->e_machine == e_machine)
			return machines[i];
	return NULL;
}

const struct machine *machine_by_name(const char *name)
{
	for (size_t i = 0; i < N_MACHINES; i++)
		if (!machines[i]->carrier && !strcmp(machines[i]->name, name))
			return machines[i];
	return NULL;
}

const struct machine_register *machine_register(const struct machine *m, uint64_t number)
{
	return number < m->n_registers && m->registers[number].name ? &m->registers[number] : NULL;
}

const struct machine *machine_of_kernel(const struct machine *m)
{
	return m->carrier ? m->carrier : m;
}

/* By the member of struct stp_regs, which both share. */
uint16_t machine_carried(const struct machine *m, uint16_t number)
{
	const struct machine *kernel = machine_of_kernel(m);
	uint16_t offset = m->registers[number].offset, i = 0;

	if (kernel == m)
		return number;
	while (!kernel->registers[i].field || kernel->registers[i].offset != offset)
		i++;
	return i;
}

const struct machine_operand *machine_operand(const struct machine *m, const char *name, size_t len)
{
	for (size_t i = 0; i < m->n_operands; i++)
		if (strlen(m->operands[i].name) == len && !memcmp(m->operands[i].name, name, len))
			return &m->operands[i];
	return NULL;
}

/*
 * "__x64_" alone is also the prefix of functions that are no system calls, so "sys_" must follow.
 */
static bool is_entry(const char *name)
{
	return !strncmp(name, "sys_", 4) || !strncmp(name, "compat_sys_", 11);
}

const struct machine_syscalls *machine_syscall(const struct machine *m, const char *function,
					       const char **name)
{
	for (size_t i = 0; i < m->n_syscalls; i++) {
		size_t len = strlen(m->syscalls[i].prefix);

		if (strncmp(function, m->syscalls[i].prefix, len) || !is_entry(function + len))
			continue;
		*name = function + len;
		return &m->syscalls[i];
	}
	return NULL;
}
