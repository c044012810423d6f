/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Exchanges over the loopback device with known ports and sizes.
 * The program and so the exchange stay on one CPU, so that probes of it do not wait for each other.
 * loopback: the device's largest packet set, all packets asked for and no longer; UDP 7001 to 7002, 100 bytes; TCP 7004 to 7003, 5000 bytes, and a connection to 7005, where nobody listens.
 * loopback backlog: more TCP connections to 7006 than its queue holds, so that one request is sent again after a second.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <net/if.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

static void check(int ok, const char *what)
{
	if (!ok) {
		perror(what);
		exit(1);
	}
}

static struct sockaddr_in here(int port)
{
	struct sockaddr_in at = { .sin_family = AF_INET, .sin_port = htons(port) };

	at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	return at;
}

/* A socket at 127.0.0.1, at any port if port is 0. */
static int bound(int type, int port)
{
	struct sockaddr_in at = here(port);
	int one = 1, fd = socket(AF_INET, type, 0);

	check(fd >= 0, "socket");
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	check(!bind(fd, (struct sockaddr *)&at, sizeof(at)), "bind");
	return fd;
}

static int dial(int fd, int port)
{
	struct sockaddr_in to = here(port);

	return connect(fd, (struct sockaddr *)&to, sizeof(to));
}

static void configure(unsigned long request, int mtu, int flags)
{
	struct ifreq lo = { .ifr_name = "lo" };
	int fd = socket(AF_INET, SOCK_DGRAM, 0);

	if (request == SIOCSIFMTU)
		lo.ifr_mtu = mtu;
	else
		lo.ifr_flags = flags;
	check(!ioctl(fd, request, &lo), "lo");
	close(fd);
}

static void bring_up(void)
{
	configure(SIOCSIFMTU, 60000, 0);
	configure(SIOCSIFMTU, 65536, 0);
	configure(SIOCSIFFLAGS, 0, IFF_UP | IFF_RUNNING | IFF_PROMISC);
	configure(SIOCSIFFLAGS, 0, IFF_UP | IFF_RUNNING);
}

static void exchange_udp(void)
{
	struct sockaddr_in to = here(7002), from;
	socklen_t size = sizeof(from);
	char data[2000] = "";
	int a = bound(SOCK_DGRAM, 7001), b = bound(SOCK_DGRAM, 7002);

	check(sendto(a, data, 100, 0, (struct sockaddr *)&to, sizeof(to)) == 100, "sendto");
	check(recvfrom(b, data, sizeof(data), 0, (struct sockaddr *)&from, &size) == 100,
	      "recvfrom");
	close(a);
	close(b);
}

static void exchange_tcp(void)
{
	static char data[5000];
	int one = 1, got = 0, n, listener = bound(SOCK_STREAM, 7003),
	    client = bound(SOCK_STREAM, 7004), server;

	check(!listen(listener, 4), "listen");
	check(!setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one)), "setsockopt");
	check(!dial(client, 7003), "connect");
	server = accept(listener, NULL, NULL);
	check(server >= 0, "accept");
	check(send(client, data, sizeof(data), 0) == sizeof(data), "send");
	for (; got < (int)sizeof(data); got += n)
		check((n = recv(server, data, sizeof(data), 0)) > 0, "recv");
	close(client);
	check(recv(server, data, sizeof(data), 0) == 0, "recv at the end");
	close(server);
	close(listener);
}

static void overflow(void)
{
	struct timeval limit = { 2, 500000 };
	int listener = bound(SOCK_STREAM, 7006);
	int first = bound(SOCK_STREAM, 0), second = bound(SOCK_STREAM, 0);

	check(!listen(listener, 0), "listen");
	check(!dial(first, 7006), "connect");
	setsockopt(second, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit));
	dial(second, 7006);
}

int main(int argc, char **argv)
{
	cpu_set_t first;

	CPU_ZERO(&first);
	CPU_SET(0, &first);
	sched_setaffinity(0, sizeof(first), &first);
	bring_up();
	if (argc > 1 && !strcmp(argv[1], "backlog")) {
		overflow();
		return 0;
	}
	exchange_udp();
	exchange_tcp();
	dial(bound(SOCK_STREAM, 0), 7005);
	return 0;
}
