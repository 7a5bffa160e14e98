package photos;

import org.springframework.boot.test.context.SpringBootTest;

@SpringBootTest(properties = {ContextContract.DATABASE, "spring.jpa.hibernate.ddl-auto=update", "context=Second"})
class SecondContextTest extends ContextContract {}
